#include "store/database/error.hpp"

#include <algorithm>
#include <array>
#include <sqlite3.h>

namespace roost::store {

namespace {

constexpr std::string_view overlap = "bookings_no_overlap", reference = "bookings_reference";
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

/// Returns the quoted name after the word "constraint" in PostgreSQL's primary message.
std::string constraint_name(std::string_view message) {
  constexpr std::string_view prefix = "constraint \"";
  const auto start = message.find(prefix);
  if (start == std::string_view::npos) return {};
  const auto name = message.substr(start + prefix.size());
  return std::string(name.substr(0, name.find('"')));
}

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

} // namespace

constraint_violated::constraint_violated(violation kind, std::string constraint)
    : error("constraint " + constraint), kind_(kind), constraint_(std::move(constraint)) {}

std::string describe_sqlite_error(const sqlite_fault& fault, const char* statement) {
  const auto known = std::ranges::find(sqlite_advice, fault.code & 0xff, &advice::code);
  return fault.file + ": " + describe(sqlite_error_name(fault.code), statement) +
         (known == sqlite_advice.end() ? "" : known->text);
}

std::string sqlite_error_name(int code) { return sqlite3_errstr(code & 0xff); }

void throw_postgresql_error(const std::string& sqlstate, std::string_view message, const char* statement,
                            bool connection_lost, bool committing) {
  if (connection_lost) throw unavailable(describe("connection lost", statement), committing);
  if (is_transient(sqlstate)) throw unavailable(describe_state(sqlstate, statement), committing);
  if (sqlstate == "23P01") throw constraint_violated(violation::overlapping_stay, std::string(overlap));
  if (sqlstate.starts_with("23")) {
    auto name = constraint_name(message);
    if (name == reference) throw constraint_violated(violation::duplicate_reference, std::move(name));
    throw constraint_violated(violation::other, name.empty() ? "SQLSTATE " + sqlstate : std::move(name));
  }
  throw failure(describe_state(sqlstate, statement));
}

void throw_sqlite_error(const sqlite_fault& fault, std::string_view message, const char* statement,
                        bool committing) {
  const int code = fault.code & 0xff;
  if (std::ranges::find(transient_codes, code) != transient_codes.end())
    throw unavailable(describe_sqlite_error(fault, statement), committing);
  if (code != SQLITE_CONSTRAINT) throw failure(describe_sqlite_error(fault, statement));
  if (message.find(overlap) != std::string_view::npos)
    throw constraint_violated(violation::overlapping_stay, std::string(overlap));
  if (message.find(reference_columns) != std::string_view::npos)
    throw constraint_violated(violation::duplicate_reference, std::string(reference));
  const auto colon = message.rfind("failed: ");
  throw constraint_violated(violation::other, colon == std::string_view::npos
                                                  ? "of SQLite"
                                                  : std::string(message.substr(colon + 8)));
}

} // namespace roost::store
