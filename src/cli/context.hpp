#pragma once

#include "config/load.hpp"
#include "domain/uuid.hpp"
#include "security/password.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roost::cli {

/// What every command takes.
struct common_options {
  std::string config_file;      ///< --config; empty: the usual places
  std::vector<std::string> set; ///< --set section.key=value
};

config::loaded load_configuration(const common_options& options);

/// A connected session on a store whose schema is current; creates and migrates as needed.
store::session open_store(const config::settings& settings);

/// Waits until a running server serves this change of the store, if there is one; false when it does not come
/// in time.
bool wait_until_applied(store::session& db, const store::stream_point& change);

/// The same for a command that ends with it: its exit status. Throws when the change does not come in time.
int finish_change(store::session& db, const store::stream_point& change);

/// Throws usage_error for what is no id.
domain::uuid id_of(const std::string& text);

/// Prints a line of what is shown, unless it is empty.
void print_fact(const char* label, const std::string& value);

/// What hashing a user's password costs by the configuration. A hash of another cost would take another time
/// to check, and so tell that there is such a user.
security::password_cost password_cost_of(const config::settings& settings);

} // namespace roost::cli
