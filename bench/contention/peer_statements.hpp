#pragma once

#include "actors/inventory/directory.hpp"
#include "pipeline.hpp"
#include "store_setup.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The statements of the peers, and their parameters. For a whole booking a peer writes the same rows with
/// the same content as the service, created by the same domain rules. Settings come from memory, like the
/// service's.
namespace roost::contention {

/// How a peer gets exclusive use of a unit's nights with PostgreSQL's own means.
struct peer_recipe {
  const char* name;
  guard overlap_guard;
  const char* begin; ///< opens a transaction at the isolation level that the peer needs
  const char* lock;  ///< locks the unit ($1) before anything else; null: none
  bool checks_first; ///< first reads in a separate statement if the nights are free, and the unit's version
  bool versioned;    ///< reserves only if the unit's version has not changed since it was read
  bool checks_in_statement; ///< the reserving statement checks for taken nights itself
  bool
      on_conflict; ///< the reserving statement leaves conflicts to the exclusion constraint, without an error
};

/// Returns the seven peers in the order of the reports.
std::span<const peer_recipe> peer_recipes();

/// Returns null for an unknown name.
const peer_recipe* find_recipe(std::string_view name);

/// The parameters of the bare statements are $1 number, $2 unit, $3 check-in, $4 check-out, and $5 version of
/// the reserving one if versioned. Those of the whole reservation are in booking_values.
std::string check_statement(depth level);
std::string reserve_statement(const peer_recipe& recipe, depth level);

/// `reserve` contains the parameters of the reserving statement up to the tenant's category; a versioned one
/// has two more.
struct booking_values {
  std::vector<sql_value> reserve;
  domain::booking_request request;
  domain::uuid booking_id{};
  domain::timestamp now{};
};

booking_values values_of(const stay_request& stay, const actors::directory_unit& unit);

extern const char* const record_booked_statement;
extern const char* const record_refused_statement;
std::vector<sql_value> record_booked_values(const booking_values& booking,
                                            const actors::directory_unit& unit);
std::vector<sql_value> record_refused_values(const booking_values& booking,
                                             const actors::directory_unit& unit);

} // namespace roost::contention
