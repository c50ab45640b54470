#pragma once

#include "store/database/cell.hpp"
#include "store/database/columns.hpp"

#include <soci/soci.h>

#include <string>
#include <vector>

namespace roost::store {

/// A prepared statement with its buffers: parameters and columns travel as text.
class statement {
public:
  statement(soci::session& db, const std::string& text, std::vector<std::string> parameters, int columns);
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  const std::vector<std::string>& parameters() const { return parameters_; }

  /// Gives the parameter its value. Throws constraint_violated for text with a NUL byte: PostgreSQL cannot
  /// hold one, and the client library would cut the text there.
  void bind(std::size_t parameter, cell_view value);

  /// Runs the statement; true when there is a first row.
  bool execute() { return statement_.execute(true); }
  bool fetch() { return statement_.fetch(); }
  row current() const { return {columns_, column_indicators_}; }
  std::int64_t affected() { return statement_.get_affected_rows(); }

private:
  std::vector<std::string> parameters_, values_, columns_;
  std::vector<soci::indicator> value_indicators_, column_indicators_;
  soci::statement statement_;
};

} // namespace roost::store
