#pragma once

#include "store/database/error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <libpq-fe.h>
#include <string>

namespace roost::store {

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
