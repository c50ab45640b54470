#pragma once

#include "cli/output.hpp"
#include "config/load.hpp"
#include "security/password.hpp"
#include "security/secrets.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace roost::cli {

/// The options of every command.
struct common_options {
  std::string config_file;      ///< --config; empty: the default locations
  std::vector<std::string> set; ///< --set section.key=value
  std::string by;               ///< --by: the name in the audit log; empty: the operating system's user
  list_format format = list_format::text; ///< of a list: --json, --csv
};

/// Returns the current time in milliseconds, the store's precision.
domain::timestamp current_time();

config::loaded load_configuration(const common_options& options);

/// Whether a command works with a store that is an unfinished copy.
enum class unfinished_copies { refused, allowed };

/// Connects to a store whose schema is current and whose signing keys match `secrets.file`, if that file
/// exists. Creates and changes nothing: throws if there is no store.
store::session open_store(const config::settings& settings,
                          unfinished_copies copies = unfinished_copies::refused);

/// Like open_store(), but accepts any signing keys and unfinished copies.
store::session open_store_with_any_keys(const config::settings& settings);

/// Like open_store(), but creates the store or migrates its schema.
store::session open_or_create_store(const config::settings& settings);

/// Throws if the store knows its signing keys and `secrets.file` is missing: a new file would contain others.
void require_secrets_file(store::session& db, const config::settings& settings);

/// Loads `secrets.file`, or creates it if the store knows no signing keys yet. Throws if the store's keys are
/// different, or their file is missing.
security::secrets load_or_create_secrets(store::session& db, const config::settings& settings);

/// Waits until the running server, if any, has applied this change. Returns false on timeout.
bool wait_until_applied(store::session& db, const store::stream_point& change);

/// Waits like wait_until_applied() and returns the exit status 0. Throws on timeout.
int finish_change(store::session& db, const store::stream_point& change);

/// Returns `--by`, by default the operating system's user and host.
std::string actor_of(const common_options& common);

/// Writes an audit entry in the open transaction, or in one of its own. Throws while the store is being
/// copied.
void record_audit(store::session& db, const common_options& common, const std::string& action,
                  const std::string& subject = {}, const std::string& detail = {});

/// Writes an audit entry in the next transaction that writes, so that exactly the committed changes are
/// logged. `db` must not move until then.
void audit_next_change(store::session& db, const common_options& common, const std::string& action,
                       const std::string& subject = {}, const std::string& detail = {});

/// Joins the non-empty parts of an audit entry's detail with commas.
std::string detail_of(std::initializer_list<std::string> parts);

/// Returns the configured hashing cost. All hashes must have the same cost: the time of a check would
/// otherwise reveal which users exist.
security::password_cost password_cost_of(const config::settings& settings);

} // namespace roost::cli
