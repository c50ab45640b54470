#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <soci/soci-backend.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// One row of a result, read column by column in the order of the select list. Throws failure when a column
/// is NULL where none may be, or does not hold what it is read as.
class row {
public:
  row(const std::vector<std::string>& values, const std::vector<soci::indicator>& indicators)
      : values_(values), indicators_(indicators) {}

  const std::string& text();
  std::optional<std::string> optional_text();
  std::int64_t integer();
  int small_integer() { return static_cast<int>(integer()); }
  std::optional<int> optional_integer();
  std::optional<double> optional_real();
  bool flag();
  domain::money amount() { return {integer()}; }
  std::optional<domain::money> optional_amount();
  domain::uuid id();
  std::optional<domain::uuid> optional_id();
  domain::date day();
  std::optional<domain::date> optional_day();
  domain::date last_night(); ///< no_end for NULL
  domain::timestamp moment();
  std::optional<domain::timestamp> optional_moment();

  /// Every column has been read.
  bool consumed() const { return next_ == values_.size(); }

private:
  bool skip_null();

  const std::vector<std::string>& values_;
  const std::vector<soci::indicator>& indicators_;
  std::size_t next_ = 0;
};

} // namespace roost::store
