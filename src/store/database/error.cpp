#include "store/database/error.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sqlite3.h>

namespace roost::store {

namespace {

/// No stay shares a night with another one, with a block or with a hold; and no block of the office with a
/// stay or a hold.
constexpr std::array overlaps{
    std::string_view("bookings_no_overlap"),  std::string_view("bookings_not_blocked"),
    std::string_view("blocks_not_booked"),    std::string_view("bookings_not_held"),
    std::string_view("blocks_not_held"),      std::string_view("holds_no_overlap"),
    std::string_view("holds_of_free_nights"),
};
constexpr std::string_view reference = "bookings_reference";
/// SQLite names the columns of a unique index in its message, not the index.
constexpr std::string_view reference_columns =
    "UNIQUE constraint failed: bookings.reference, bookings.platform, bookings.account_id";

std::string describe(std::string_view code, const char* statement) {
  return std::string(code) + " (" + statement + ')';
}

/// A PostgreSQL error that an operator can act on, with its description.
struct condition {
  std::string_view sqlstate, description;
};
constexpr std::array conditions{
    condition{"25006",
              "the database accepts no writes: it is a standby, or was set to read only; name the primary in "
              "store.url"},
    condition{"42501",
              "the database role lacks a privilege: make the role of store.url the owner of the database "
              "and of its tables"},
    condition{"42P01",
              "a table is missing: run `roost migrate`, and check that store.url names the right database "
              "and search_path"},
    condition{"53100", "the database's disk is full: free some space"},
    condition{"53200", "the database is out of memory"},
    condition{"53300", "the database accepts no more connections: raise its max_connections or lower "
                       "store.sessions"},
    condition{"57014", "a statement timed out or was cancelled: check whether the database is overloaded"},
    condition{"57P01", "the database ended the connection: it is being stopped"},
    condition{"57P03", "the database is starting or stopping"},
    condition{"58030", "the database cannot read or write its disk: see its own log"},
    condition{"XX001", "the database found damaged data: see its own log, and restore a backup"},
};

std::string describe_state(const std::string& sqlstate, const char* statement) {
  const auto known = std::ranges::find(conditions, std::string_view(sqlstate), &condition::sqlstate);
  if (known == conditions.end()) return describe("SQLSTATE " + sqlstate, statement);
  return std::string(known->description) + " (SQLSTATE " + sqlstate + ", " + statement + ')';
}

/// Advice for an operator, by SQLite's primary result code.
struct advice {
  int code;
  const char* text;
};
constexpr const char* damaged = "; the file is damaged or not a store: stop the server and restore a backup";
constexpr const char* no_permission = "; check the permissions of the file and its folder";
constexpr std::array sqlite_advice{
    advice{SQLITE_CORRUPT, damaged},          advice{SQLITE_NOTADB, damaged},
    advice{SQLITE_FULL, "; free some space"}, advice{SQLITE_READONLY, no_permission},
    advice{SQLITE_CANTOPEN, no_permission},   advice{SQLITE_IOERR, "; check the disk"},
};

constexpr std::array transient_codes{SQLITE_BUSY,      SQLITE_LOCKED, SQLITE_FULL,
                                     SQLITE_READONLY,  SQLITE_IOERR,  SQLITE_CANTOPEN,
                                     SQLITE_INTERRUPT, SQLITE_NOMEM,  SQLITE_PROTOCOL};

/// Returns whether the condition is transient: connection errors (08), resources (53), locks (55P03),
/// serialization failures and deadlocks (40), read only (25006), cancelled or timed out (57014), shutdown
/// (57P01 to 57P05), timed out in a transaction (25P03), I/O errors (58030).
bool is_transient(std::string_view sqlstate) {
  constexpr std::array classes{"08", "53", "40", "57P"};
  constexpr std::array states{"55P03", "25006", "57014", "25P03", "58030"};
  return std::ranges::any_of(classes,
                             [&](std::string_view prefix) { return sqlstate.starts_with(prefix); }) ||
         std::ranges::find(states, sqlstate) != states.end();
}

/// Returns whether the state is in a class that neither SQL nor PostgreSQL uses, so that a trigger chose it:
/// 45, and those from 5 or I on, except PostgreSQL's own.
bool is_custom(std::string_view sqlstate) {
  constexpr std::array own{"53", "54", "55", "57", "58", "72", "P0", "XX"};
  const char first = sqlstate.empty() ? '0' : sqlstate.front();
  const bool is_implementation_defined = (first >= '5' && first <= '9') || (first >= 'I' && first <= 'Z');
  return sqlstate.starts_with("45") ||
         (is_implementation_defined &&
          std::ranges::none_of(own, [&](std::string_view each) { return sqlstate.starts_with(each); }));
}

/// Returns whether the database rejected a row: data exceptions (22), integrity constraints (23), views'
/// check options (44), exceptions of triggers (P0001 to P0004 and custom ones), values that are too large for
/// an index (54000).
bool is_rejected_row(std::string_view sqlstate) {
  constexpr std::array states{"44000", "54000", "P0001", "P0002", "P0003", "P0004"};
  return sqlstate.starts_with("22") || sqlstate.starts_with("23") || is_custom(sqlstate) ||
         std::ranges::find(states, sqlstate) != states.end();
}

violation violation_of(const postgresql_fault& fault) {
  constexpr std::string_view exclusion = "23P01", unique = "23505", foreign_key = "23503", restrict = "23001";
  const auto& state = fault.sqlstate;
  if (state == exclusion && std::ranges::find(overlaps, fault.constraint) != overlaps.end())
    return violation::overlapping_stay;
  if (state == unique && fault.constraint == reference) return violation::duplicate_reference;
  const bool is_conflict = state == exclusion || state == unique || state == foreign_key || state == restrict;
  return is_conflict ? violation::conflicting_row : violation::invalid_value;
}

bool is_rejected_row(int sqlite_code) {
  const int code = sqlite_code & 0xff;
  return code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH || code == SQLITE_TOOBIG;
}

/// Returns the constraint of overlaps that a trigger's message ends with, else their end.
auto overlap_in(std::string_view message) {
  return std::ranges::find_if(overlaps, [&](std::string_view each) { return message.ends_with(each); });
}

violation violation_of(int sqlite_code, std::string_view message) {
  switch (sqlite_code) {
  case SQLITE_CONSTRAINT_TRIGGER:
    return overlap_in(message) != overlaps.end() ? violation::overlapping_stay : violation::invalid_value;
  case SQLITE_CONSTRAINT_UNIQUE:
    return message.ends_with(reference_columns) ? violation::duplicate_reference : violation::conflicting_row;
  case SQLITE_CONSTRAINT_PRIMARYKEY:
  case SQLITE_CONSTRAINT_ROWID:
  case SQLITE_CONSTRAINT_FOREIGNKEY:
    return violation::conflicting_row;
  default:
    return violation::invalid_value;
  }
}

/// Returns the columns or the constraint that SQLite's message names; nullopt if it names none.
std::optional<std::string> constraint_in(std::string_view message) {
  constexpr std::string_view prefix = "constraint failed: ";
  const auto start = message.rfind(prefix);
  if (start == std::string_view::npos) return std::nullopt;
  return std::string(message.substr(start + prefix.size()));
}

} // namespace

constraint_violated::constraint_violated(violation kind, std::string constraint)
    : error("constraint " + constraint), kind_(kind), constraint_(std::move(constraint)) {}

std::string describe_sqlite_error(const sqlite_fault& fault, const char* statement) {
  const auto known = std::ranges::find(sqlite_advice, fault.code & 0xff, &advice::code);
  return fault.file + ": " + describe(sqlite_error_name(fault.code), statement) +
         (known == sqlite_advice.end() ? "" : known->text);
}

std::string sqlite_error_name(int code) { return sqlite3_errstr(code & 0xff); }

void throw_postgresql_error(const postgresql_fault& fault, const char* statement, bool connection_lost,
                            bool committing) {
  const auto& state = fault.sqlstate;
  if (connection_lost) throw unavailable(describe("connection lost", statement), committing);
  if (is_transient(state)) throw unavailable(describe_state(state, statement), committing);
  if (is_rejected_row(state))
    throw constraint_violated(violation_of(fault),
                              fault.constraint.empty() ? "SQLSTATE " + state : fault.constraint);
  throw failure(describe_state(state, statement));
}

void throw_sqlite_error(const sqlite_fault& fault, std::string_view message, const char* statement,
                        bool committing) {
  if (std::ranges::find(transient_codes, fault.code & 0xff) != transient_codes.end())
    throw unavailable(describe_sqlite_error(fault, statement), committing);
  if (!is_rejected_row(fault.code)) throw failure(describe_sqlite_error(fault, statement));
  const auto kind = violation_of(fault.code, message);
  if (kind == violation::overlapping_stay) throw constraint_violated(kind, std::string(*overlap_in(message)));
  if (kind == violation::duplicate_reference) throw constraint_violated(kind, std::string(reference));
  throw constraint_violated(kind, constraint_in(message).value_or("of SQLite"));
}

} // namespace roost::store
