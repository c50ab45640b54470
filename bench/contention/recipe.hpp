#pragma once

#include "scene.hpp"

#include <span>
#include <string>

namespace roost::contention {

/// How one of the peers gets exclusive use of a unit's nights, in PostgreSQL's own means.
struct recipe {
  const char* name;
  const char* title;
  guard kept_apart;
  const char* begin; ///< statement that opens a transaction at the isolation that it takes
  const char* lock;  ///< of the unit ($1), before anything else; null: none
  /// Reads first whether the nights are free, and the unit's version, in a statement of its own.
  bool looks_first;
  bool versioned;   ///< reserves only if the unit's version is still the one that was read
  bool checks;      ///< the reserving statement looks for taken nights itself
  bool on_conflict; ///< the reserving statement leaves the conflict to the exclusion constraint, without an
                    ///< error
};

/// The seven peers, in the order of the reports.
std::span<const recipe> recipes();

/// Null: there is none of that name.
const recipe* find_recipe(std::string_view name);

/// Statements at a depth. Parameters of the bare reservation: $1 number, $2 unit, $3 check-in, $4 check-out,
/// and of a versioned one $5 version. Those of the whole one: booking_values.hpp.
std::string look_text(depth how_much);
std::string reserve_text(const recipe& of, depth how_much);

} // namespace roost::contention
