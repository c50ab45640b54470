#pragma once

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <libpq-fe.h>
#include <memory>
#include <string>

/// How a session of each database comes to be, and what it is set to.
namespace roost::store {

/// Makes a store's file and its folder, for their owner alone, unless they are there. Throws unavailable.
void make_sqlite_file(const std::string& file);

/// Throws unavailable or soci::soci_error.
std::unique_ptr<soci::session> open_sqlite(const std::string& file);

/// A store's URL with what every session is set to.
std::string postgresql_target(const std::string& url);

/// Does not wait for a server that stalls. Throws unavailable, or std::system_error where no thread can be
/// had.
std::unique_ptr<soci::session> connect_postgresql(const std::string& target);

/// The client library's own handle of a session.
sqlite_api::sqlite3* sqlite_handle(soci::session& of);
PGconn* postgresql_handle(soci::session& of);

} // namespace roost::store
