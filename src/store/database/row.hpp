#pragma once

#include <soci/soci-backend.h>

#include <string>
#include <vector>

namespace roost::store {

/// One row of a result as texts, valid until the next one is fetched. What it means is told by the selection
/// that it comes from.
class row {
public:
  row(const std::vector<std::string>& values, const std::vector<soci::indicator>& indicators)
      : values_(values), indicators_(indicators) {}

  /// Null for NULL.
  const std::string* operator[](std::size_t column) const {
    return indicators_[column] == soci::i_ok ? &values_[column] : nullptr;
  }

  std::size_t size() const { return values_.size(); }

private:
  const std::vector<std::string>& values_;
  const std::vector<soci::indicator>& indicators_;
};

} // namespace roost::store
