#pragma once

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <libpq-fe.h>
#include <memory>
#include <string>

/// Opens and configures the sessions of each database.
namespace roost::store {

/// Creates a missing store file and its folder, accessible to their owner only. Throws unavailable.
void make_sqlite_file(const std::string& file);

/// Opens an existing file. Throws unavailable or soci::soci_error.
std::unique_ptr<soci::session> open_sqlite(const std::string& file);

/// Returns the URL of a store with the settings of all sessions appended.
std::string postgresql_target(const std::string& url);

/// Connects, without waiting for a server that stalls, and checks that the database can hold a store. Throws
/// unavailable, unsuitable_database, or std::system_error if no thread can be created.
std::unique_ptr<soci::session> connect_postgresql(const std::string& target);

/// Returns the client library's handle of a session.
sqlite_api::sqlite3* sqlite_handle(soci::session& session);
PGconn* postgresql_handle(soci::session& session);

} // namespace roost::store
