#pragma once

#include <string>
#include <string_view>

/// Translates the databases' own errors into those of store/database/error.hpp.
namespace roost::store {

/// `gone`: the connection is. Throws always.
[[noreturn]] void throw_postgresql_error(const std::string& sqlstate, std::string_view message,
                                         const char* statement, bool gone, bool committing);

/// What SQLite said, and in which file.
struct sqlite_fault {
  int code = 0;
  const std::string& file;
};

/// The file, SQLite's own words, and what to do where they do not say it.
std::string words_of(const sqlite_fault& fault, const char* statement);

/// Throws always.
[[noreturn]] void throw_sqlite_error(const sqlite_fault& fault, std::string_view message,
                                     const char* statement, bool committing);

/// SQLite's words for a result code; they hold no values.
std::string sqlite_error_name(int code);

} // namespace roost::store
