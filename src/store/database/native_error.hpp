#pragma once

#include <string>
#include <string_view>

/// Translates the native errors of the databases into those of store/database/error.hpp.
namespace roost::store {

[[noreturn]] void throw_postgresql_error(const std::string& sqlstate, std::string_view message,
                                         const char* statement, bool connection_lost, bool committing);

/// A result code of SQLite and the file it concerns.
struct sqlite_fault {
  int code = 0;
  const std::string& file;
};

/// Returns the file, SQLite's description of the error, and advice where needed.
std::string describe_sqlite_error(const sqlite_fault& fault, const char* statement);

[[noreturn]] void throw_sqlite_error(const sqlite_fault& fault, std::string_view message,
                                     const char* statement, bool committing);

/// Returns SQLite's description of a result code, which contains no values.
std::string sqlite_error_name(int code);

} // namespace roost::store
