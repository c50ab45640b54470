#pragma once

#include "domain/booking_terms.hpp"
#include "store/database/column_format.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// A booking's terms as the JSON of their column: they have no identity of their own, and are read as a
/// whole.
///
/// A line of the plan is
/// `{"kind":"rent","cents":70000,"due":"2027-05-01","nights":["2027-05-01","2027-05-31"]}`: `nights` are the
/// first and the last one that it is for, if any; `payer` and `payee` are there only where it is not the
/// tenant who pays or the landlord who is paid.
namespace roost::store {

std::string json_of(const domain::booking_terms& terms);

/// Throws failure when the column does not hold what was written.
void read_json(std::string_view json, domain::booking_terms& into);

/// A booking shares its terms. They are `json`, which costs a decision less than `jsonb`.
template <>
struct column_format<std::shared_ptr<const domain::booking_terms>> {
  static constexpr auto type = "json";
  static bool write(std::string& to, const std::shared_ptr<const domain::booking_terms>& terms) {
    return write_cell(to, json_of(*terms));
  }
  static bool read(const std::string* text, std::shared_ptr<const domain::booking_terms>& into) {
    if (!text) return false;
    auto terms = std::make_shared<domain::booking_terms>();
    read_json(*text, *terms);
    into = std::move(terms);
    return true;
  }
};

} // namespace roost::store
