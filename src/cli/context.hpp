#pragma once

#include "cli/listing.hpp"
#include "config/load.hpp"
#include "domain/uuid.hpp"
#include "security/password.hpp"
#include "security/secrets.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace roost::cli {

/// What every command takes.
struct common_options {
  std::string config_file;                ///< --config; empty: the usual places
  std::vector<std::string> set;           ///< --set section.key=value
  std::string by;                         ///< --by: who is named in the audit log; empty: the system's user
  list_format format = list_format::text; ///< of a list: --json, --csv
};

/// To the millisecond, as the store keeps moments.
domain::timestamp this_moment();

config::loaded load_configuration(const common_options& options);

/// Whether a command works with a store that is a copy which is not finished.
enum class unfinished_copies { refused, allowed };

/// A connected session on a store whose schema is current and whose signing keys are those of `secrets.file`,
/// where there is such a file. Makes and changes nothing: throws where there is no store.
store::session open_store(const config::settings& settings,
                          unfinished_copies copies = unfinished_copies::refused);

/// The same, whatever keys the store's tokens were signed with.
store::session open_store_of_any_keys(const config::settings& settings);

/// The same for the commands that may make a store.
store::session make_store(const config::settings& settings);

/// Throws when the store knows its signing keys and `secrets.file` is missing: one that is made in its place
/// would have others.
void refuse_lost_secrets(store::session& db, const config::settings& settings);

/// Makes the secrets of a store that knows none yet. Throws when the store's are others, or their file is
/// missing.
security::secrets secrets_of(store::session& db, const config::settings& settings);

/// Waits until a running server serves this change of the store, if there is one; false when it does not come
/// in time.
bool wait_until_applied(store::session& db, const store::stream_point& change);

/// The same for a command that ends with it: its exit status. Throws when the change does not come in time.
int finish_change(store::session& db, const store::stream_point& change);

/// Who gives the command: `--by`, else the system's user and host.
std::string actor_of(const common_options& common);

/// Notes in the audit log what a command has changed, in the transaction that is open, or alone. Throws while
/// the store is being copied.
void record_audit(store::session& db, const common_options& common, const std::string& action,
                  const std::string& subject = {}, const std::string& detail = {});

/// Notes it in the next transaction that writes: what was changed is in the log, and what failed is not.
/// `db` must stay where it is until then.
void audit_next_change(store::session& db, const common_options& common, const std::string& action,
                       const std::string& subject = {}, const std::string& detail = {});

/// The parts of an audit entry's detail, with commas; empty ones are left out.
std::string detail_of(std::initializer_list<std::string> parts);

/// Throws usage_error for what is no id.
domain::uuid id_of(const std::string& text);

/// Throws usage_error for a name that no configured platform has.
void require_platform(const config::settings& settings, const std::string& name);

/// What hashing a user's password costs by the configuration. A hash of another cost would take another time
/// to check, and so tell that there is such a user.
security::password_cost password_cost_of(const config::settings& settings);

} // namespace roost::cli
