#pragma once

#include "cli/output.hpp"
#include "config/load.hpp"
#include "domain/uuid.hpp"
#include "security/secrets.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace roost::cli {

/// The parsed arguments. The first lines belong to every command, the others to some; an empty text is an
/// argument that was not given.
struct arguments {
  std::string config_file;      ///< --config; empty: the default locations
  std::vector<std::string> set; ///< --set section.key=value
  std::string by;               ///< --by: the name in the audit log; empty: the operating system's user

  std::string group; ///< the group of the command: `api-key`; `roost` if it belongs to none

  list_format format = list_format::text; ///< of a list: --json, --csv
  std::size_t limit = 50;                 ///< of a list
  std::string account, property, unit, platform, status, reference, since;

  std::string id; ///< of the entity that the command is about; erase_tenant() also takes an email address
  std::vector<std::string> ids; ///< of the bookings to cancel
  std::string reason;           ///< of the cancellation
  std::string email, label, resource, area, level;
  std::string ttl = "365d";
  std::string from; ///< a month; empty: the current one
  int months = 3;
  bool confirmed = false; ///< --confirm
  bool replace = false, sign_out = false, partner_tokens = false, end_connections = false;

  std::vector<std::string> files;    ///< to import
  std::vector<std::string> accounts; ///< to export; empty: all
  std::string file;                  ///< of AI usage records
  std::string out;                   ///< a file, or a folder for one file per account; empty: standard output
  std::string to;                    ///< the URL of a copy's store, or the recipient of mails
  bool check_only = false, plan_only = false, allow_removals = false, overwrite_office = false;
  bool overwrite = false, password_hashes = false;

  bool on_hold = false;    ///< serve: decide no booking requests, send no mail and delete no expired data
  std::string events_file; ///< for tests: also gets every event (log::copy_events_to); empty: none
  bool once = false, as_json = false; ///< of show_top(); `as_json` requires `once`
};

/// Returns the current time in milliseconds, the store's precision.
domain::timestamp current_time();

config::loaded load_configuration(const arguments& args);

/// Which stores a command works with: only those that servers may serve, or unfinished copies and moved
/// stores as well.
enum class usable_stores { served, any };

/// Connects to a store whose schema is current and whose signing keys match `secrets.file`, if that file
/// exists. Creates and changes nothing: throws if there is no store.
store::session open_store(const config::settings& settings, usable_stores which = usable_stores::served);

/// Opens the configured store.
store::session open_store(const arguments& args);

/// Like open_store(), but accepts any signing keys, unfinished copies and moved stores.
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
std::string actor_of(const arguments& args);

/// Throws if the store is an unfinished copy or was moved.
void refuse_unserved_store(store::session& db);

/// Writes an audit entry in the open transaction, or in one of its own. `account` is the only account that it
/// is about, whose users can read it. Throws while the store is being copied, and if it was moved.
void record_audit(store::session& db, const arguments& args, const std::string& action,
                  const std::string& subject = {}, const std::string& detail = {},
                  const std::optional<domain::uuid>& account = {});

/// Writes an audit entry in the next transaction that writes, so that exactly the committed changes are
/// logged. `db` must not move until then.
void audit_next_change(store::session& db, const arguments& args, const std::string& action,
                       const std::string& subject = {}, const std::string& detail = {},
                       const std::optional<domain::uuid>& account = {});

/// Joins the non-empty parts of an audit entry's detail with commas.
std::string detail_of(std::initializer_list<std::string> parts);

} // namespace roost::cli
