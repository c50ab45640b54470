#pragma once

#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <libpq-fe.h>
#include <memory>
#include <string>

/// Opens and configures the sessions of each database; errors of PostgreSQL's client library.
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

/// Returns the name of the constraint that a failed statement violated; empty if none.
inline std::string constraint_of(const PGresult* result) {
  const char* name = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
  return name ? name : "";
}

/// A failed call of libpq. SOCI's own error does not name the constraint.
class result_error : public soci::postgresql_soci_error {
public:
  /// Without a result, the connection is lost.
  explicit result_error(const PGresult* result)
      : soci::postgresql_soci_error("libpq", sqlstate_of(result)), constraint_(constraint_of(result)) {}

  const std::string& constraint() const { return constraint_; }

private:
  static const char* sqlstate_of(const PGresult* result) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "     ";
  }

  std::string constraint_;
};

} // namespace roost::store
