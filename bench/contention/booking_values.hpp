#pragma once

#include "actors/inventory/directory.hpp"
#include "pipeline.hpp"
#include "requests.hpp"

#include <array>

/// What a peer writes for a whole booking: the same rows with the same content as the service, made by the
/// same rules of the domain. Its settings come from memory, as the service's do.
namespace roost::contention {

/// The parameters of the reserving statement up to the tenant's category; a versioned one has two more.
struct booking_values {
  std::vector<sql_value> reserve;
  domain::booking_request request;
  domain::uuid booking_id{};
  domain::timestamp now{};
};

booking_values values_of(const stay& wanted, const actors::directory_unit& unit);

extern const char* const record_booked_text;
extern const char* const record_refused_text;
std::vector<sql_value> record_booked(const booking_values& of, const actors::directory_unit& unit);
std::vector<sql_value> record_refused(const booking_values& of, const actors::directory_unit& unit);

} // namespace roost::contention
