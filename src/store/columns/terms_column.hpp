#pragma once

#include "domain/booking_terms.hpp"

#include <string>
#include <string_view>

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

} // namespace roost::store
