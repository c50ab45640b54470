#include "store/database/native_error.hpp"

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

/// The name in quotes after the word "constraint" in PostgreSQL's primary message.
std::string constraint_name(std::string_view message) {
  constexpr std::string_view before = "constraint \"";
  const auto start = message.find(before);
  if (start == std::string_view::npos) return {};
  const auto name = message.substr(start + before.size());
  return std::string(name.substr(0, name.find('"')));
}

/// Conditions that pass: connection trouble (08), resources (53), locks (55P03), serialization and deadlock
/// (40), read only (25006), cancelled or timed out (57014), shutdown (57P01 to 57P05), timed out in a
/// transaction (25P03), input and output errors (58030).
bool passes(std::string_view sqlstate) {
  constexpr std::array classes{"08", "53", "40", "57P"};
  constexpr std::array states{"55P03", "25006", "57014", "25P03", "58030"};
  return std::ranges::any_of(classes, [&](std::string_view start) { return sqlstate.starts_with(start); }) ||
         std::ranges::find(states, sqlstate) != states.end();
}

} // namespace

constraint_violated::constraint_violated(violation kind, std::string constraint)
    : error("constraint " + constraint), kind_(kind), constraint_(std::move(constraint)) {}

std::string sqlite_error_name(int code) { return sqlite3_errstr(code & 0xff); }

void throw_postgresql_error(const std::string& sqlstate, std::string_view message, const char* statement,
                            bool gone, bool committing) {
  if (gone) throw unavailable(describe("connection lost", statement), committing);
  if (passes(sqlstate)) throw unavailable(describe("SQLSTATE " + sqlstate, statement), committing);
  if (sqlstate == "23P01") throw constraint_violated(violation::overlapping_stay, std::string(overlap));
  if (sqlstate.starts_with("23")) {
    auto name = constraint_name(message);
    if (name == reference) throw constraint_violated(violation::duplicate_reference, std::move(name));
    throw constraint_violated(violation::other, name.empty() ? "SQLSTATE " + sqlstate : std::move(name));
  }
  throw failure(describe("SQLSTATE " + sqlstate, statement));
}

void throw_sqlite_error(int code, std::string_view message, const char* statement, bool committing) {
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_FULL:
  case SQLITE_READONLY:
  case SQLITE_IOERR:
  case SQLITE_CANTOPEN:
  case SQLITE_INTERRUPT:
  case SQLITE_NOMEM:
  case SQLITE_PROTOCOL:
    throw unavailable(describe(sqlite_error_name(code), statement), committing);
  case SQLITE_CONSTRAINT: {
    if (message.find(overlap) != std::string_view::npos)
      throw constraint_violated(violation::overlapping_stay, std::string(overlap));
    if (message.find(reference_columns) != std::string_view::npos)
      throw constraint_violated(violation::duplicate_reference, std::string(reference));
    const auto colon = message.rfind("failed: ");
    throw constraint_violated(violation::other, colon == std::string_view::npos
                                                    ? "of SQLite"
                                                    : std::string(message.substr(colon + 8)));
  }
  default:
    throw failure(describe(sqlite_error_name(code), statement));
  }
}

} // namespace roost::store
