#include "cli/context.hpp"
#include "cli/doctor.hpp"
#include "cli/input.hpp"
#include "cli/overlaps.hpp"
#include "domain/email_address.hpp"
#include "domain/entered_text.hpp"
#include "files/private_files.hpp"
#include "service/expiries.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/requests.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/database/trusted_time.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/overlaps.hpp"
#include "store/sessions/users.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>

namespace roost::cli {

namespace {

constexpr std::uintmax_t min_free_space = std::uintmax_t{1} << 30;
constexpr std::chrono::seconds max_clock_difference{1};
constexpr std::chrono::minutes max_queue_delay{2}; // in addition to a cycle
constexpr int other_connections = 5;               // besides the lanes: docs/operations.md, Configuration
constexpr std::size_t max_mails = 1'000;
constexpr std::size_t max_invalid_users = 20;

std::string in_gib(std::uintmax_t bytes) {
  const auto tenths = bytes * 10 / (std::uintmax_t{1} << 30);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

/// Checks the free space on the disk of a folder.
void examine_space(findings& results, const std::filesystem::path& folder) {
  std::error_code failed;
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, failed);
  if (failed) return;
  if (space.available < min_free_space)
    results.warn("only " + in_gib(space.available) + " are free on its disk",
                 "Free some space: a full disk stops bookings");
  else
    results.ok(in_gib(space.available) + " are free on its disk");
}

void examine_database(findings& results, store::session& db, const config::settings& settings) {
  const auto facts = store::diagnose(db);
  if (!facts.damage.empty())
    results.fail(facts.version + ": " + facts.damage, "Stop the server and restore a backup");
  else
    results.ok(facts.version + " responds");
  if (!facts.is_durable)
    results.fail("commits may be lost: fsync or synchronous_commit is off in PostgreSQL",
                 "Turn both on: an acknowledged booking must survive a crash");
  const std::int64_t required = settings.store.sessions + other_connections;
  if (facts.free_connections && *facts.free_connections < required)
    results.warn("PostgreSQL has " + std::to_string(*facts.free_connections) +
                     " free connections, but a server needs " + std::to_string(required),
                 "Raise PostgreSQL's max_connections, unless the server is already connected");
  if (!facts.file) return;
  if (files::is_open_to_others(*facts.file))
    results.warn(*facts.file + " is readable by users other than its owner",
                 "Run `chmod 600` on it and on its -wal and -shm files");
  examine_space(results, std::filesystem::path(*facts.file).parent_path());
}

/// Returns false if the store cannot be examined further.
bool examine_schema(findings& results, store::session& db) {
  results.start("schema");
  try {
    if (!store::has_schema(db)) {
      results.fail("there is no store yet", "Run `roost migrate` or start the server to create it");
      return false;
    }
    if (!store::schema_is_current(db)) {
      results.fail("it is older than this program",
                   "Back up the store, then run `roost migrate` or start the server");
      return false;
    }
  } catch (const store::schema_mismatch& mismatch) {
    results.fail(mismatch.what(), "Use the version of Roost that created it, or a newer one");
    return false;
  }
  results.ok("it is current");
  return true;
}

void examine_keys(findings& results, store::session& db, const std::optional<security::secrets>& secrets) {
  const auto known = store::signing_keys_of(db);
  if (!known) return;
  if (!secrets)
    results.fail(
        "the store's tokens were signed with keys (" + *known +
            ") of a secrets.file that is missing or unreadable",
        "Restore the file, or set secrets.file to the right one; `roost secrets adopt` creates a new one but "
        "revokes all tokens");
  else if (secrets->fingerprint() != *known)
    results.fail(
        "the store's tokens were signed with other keys (" + *known + ")",
        "Set secrets.file to the right file, or run `roost secrets adopt`, which revokes all tokens");
}

/// Reports times in the store that lie in the future: SQLite has no clock of its own to compare with.
void examine_stored_times(findings& results, store::session& db) {
  domain::timestamp newest{};
  for (const auto& entry : store::list_audit(db, 1)) newest = std::max(newest, entry.made_at);
  for (const auto& record : store::list_requests(db, {}, 1))
    newest = std::max(newest, record.request.received_at);
  if (newest > current_time() + max_clock_difference)
    results.warn("the store's newest entry is from " + domain::to_string(newest) + ", which is in the future",
                 "Check this machine's clock: it is slow now, or was fast when that entry was written");
  else
    results.ok("SQLite has none to compare this machine's with; no entry of the store is from the future");
}

/// Returns false if the clock is wrong, or an operator has to confirm it.
bool examine_trusted_time(findings& results, store::session& db) {
  const auto compared = store::compare_time(db, current_time(), store::read_machine_time());
  if (compared.agrees() && !compared.is_behind()) return true;
  const auto text = store::to_string(compared);
  if (compared.agrees())
    results.warn(text, "One of them is wrong: correct the clock, or run `roost clock trust`");
  else
    results.fail(
        text + ": nothing is changed or deleted because of its age",
        "Correct the clock; if it is right, because no server used the store for a while or a backup "
        "was restored, run `roost clock trust`");
  return false;
}

void examine_clock(findings& results, store::session& db) {
  if (!examine_trusted_time(results, db)) return;
  if (db.is_sqlite()) return examine_stored_times(results, db);
  const auto ahead = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now() -
                                                                           store::database_clock(db));
  const auto text = std::to_string(ahead.count()) + " ms ahead of the database's";
  if (std::chrono::abs(ahead) > max_clock_difference)
    results.fail("this machine's is " + text, "Synchronize both with the same time servers");
  else
    results.ok("this machine's is " + text);
}

void examine_copy(findings& results, store::session& db) {
  if (const auto marker = store::read_copy_marker(db))
    results.fail(marker->now == store::copy_marker::state::differs
                     ? "it is a copy that differs from its source"
                     : "it is an unfinished copy",
                 "No server uses it: run `roost copy` from its source again, or empty the database");
}

void examine_move(findings& results, store::session& db) {
  if (const auto moved = store::read_move_marker(db))
    results.fail("it was moved to " + moved->target + " at " + domain::to_string(moved->at) +
                     ", so no server can serve it",
                 "Set store.url to that store, or see `roost store reopen`");
}

void examine_lease(findings& results, store::session& db) {
  const auto held = store::current_lease(db);
  if (!held || held->expired)
    return results.warn("no server serves this store", "Start one with `roost serve`");
  const auto until = domain::to_string(held->expires_at);
  if (!store::is_credible(*held))
    return results.warn(held->holder.node + " has the lease until " + until +
                            ", which was set by a wrong clock; servers ignore it",
                        "A standby server takes over within ten seconds; see `roost lease show`");
  if (held->holder.node.starts_with(store::copying_node_prefix))
    return results.warn("no server serves this store while it is being copied, until at least " + until,
                        "Wait until `roost copy` has finished");
  results.ok(held->holder.node + " serves until " + until);
}

/// Reports requests that no server with this configuration decides.
void report_undecidable(findings& results, const config::settings& settings,
                        const store::platform_backlog& waiting) {
  const bool is_configured = find_platform(settings, waiting.platform) != nullptr;
  results.fail(
      domain::counted(waiting.requests, "request", "requests") + " of " + waiting.platform +
          ", the oldest from " + domain::to_string(waiting.oldest) + ", cannot be decided, because " +
          (is_configured ? "the platform's account is not set or not imported"
                         : "the platform is not configured"),
      std::string(is_configured ? "Set its `account` on every server, and import that account."
                                : "Configure it on every server.") +
          " If the platform is gone, `roost request drop --platform " + waiting.platform + "` refuses them");
}

void examine_queue(findings& results, store::session& db, const config::settings& settings) {
  if (store::is_import_pending(db)) {
    results.start("import");
    results.warn("an import is unfinished", "The running server finishes it, or the next one that starts");
    results.start("requests");
  }
  std::optional<domain::timestamp> oldest;
  bool are_others_waiting = false;
  for (const auto& each : store::backlog_by_platform(db)) {
    if (is_decidable(db, settings, each.platform)) {
      oldest = std::min(oldest.value_or(each.oldest), each.oldest);
    } else {
      are_others_waiting = true;
      report_undecidable(results, settings, each);
    }
  }
  if (!oldest && are_others_waiting) return;
  if (!oldest) return results.ok("none is waiting for a decision");
  const auto waiting =
      std::max(std::chrono::floor<std::chrono::seconds>(current_time() - *oldest), std::chrono::seconds{0});
  const auto text = "the oldest undecided one has been waiting for " + std::to_string(waiting.count()) + " s";
  if (waiting > settings.bookings.cycle + max_queue_delay)
    results.fail(
        text, "Check that a server serves this store, its /readyz, and its log for decision_not_recordable");
  else
    results.ok(text);
}

/// Reports units that are linked to platforms that are not configured.
void examine_links(findings& results, store::session& db, const config::settings& settings) {
  bool is_well = true;
  for (const auto& [platform, units] : store::links_by_platform(db)) {
    if (find_platform(settings, platform)) continue;
    is_well = false;
    results.warn(domain::counted(units, "unit is", "units are") + " linked to " + platform +
                     ", which is not configured",
                 "Configure it on every server, or remove the links from the portfolio files");
  }
  if (is_well) results.ok("units are linked to configured platforms only");
}

/// Reports blocks that imports have set on nights of stays.
void examine_overlaps(findings& results, store::session& db) {
  constexpr auto advice =
      "Shorten or delete the block, or change or cancel the booking: both stay as they are";
  const auto overlaps = store::stored_overlaps(db, domain::day_of(current_time()), max_overlaps);
  for (const auto& each : overlaps.items)
    results.warn("block " + domain::to_string(each.block_id) + " (" + nights_text(each.block) +
                     ") of the unit " + each.unit_name + " covers nights of booking " +
                     domain::to_string(each.booking_id) + " (" + stay_text(each) + ")",
                 advice);
  if (overlaps.total > overlaps.items.size())
    results.warn(domain::counted(static_cast<std::int64_t>(overlaps.total - overlaps.items.size()),
                                 "more block covers nights of a booking",
                                 "more blocks cover nights of bookings"),
                 "Correct those above first, then run `roost doctor` again");
  if (overlaps.total == 0) results.ok("none covers nights of a booking");
}

/// Reports users whose address an earlier version accepted.
void examine_users(findings& results, store::session& db) {
  std::size_t invalid = 0;
  const auto users = store::all_user_access(db);
  const auto taken = store::users_with_taken_address(db);
  for (const auto& user : users) {
    const bool is_valid = domain::is_email_address(domain::composed(user.email));
    if (is_valid && std::ranges::find(taken, user.id) == taken.end()) continue;
    if (++invalid > max_invalid_users) continue;
    results.fail(
        "user " + domain::to_string(user.id) + " of " + user.company_name + " has " +
            (is_valid ? "the address of another user in another spelling" : "an invalid email address") +
            " (" + user.email + ") and cannot sign in",
        is_valid ? "Remove one of the two users from the portfolio file, or correct the address, and "
                   "import the file"
                 : "Correct it in the portfolio file and import that");
  }
  if (invalid > max_invalid_users)
    results.fail(std::to_string(invalid - max_invalid_users) + " more have such an email address",
                 "Correct those above first, then run `roost doctor` again");
  if (invalid == 0) results.ok(std::to_string(users.size()) + " with valid email addresses");
}

/// Reports platforms whose last token has expired: they get 401 and may not have noticed.
void examine_expired_platforms(findings& results, store::session& db, const config::settings& settings) {
  std::vector<token_expiry> ends;
  for (auto& token : store::partner_tokens::all(db))
    if (!token.ended_at)
      ends.push_back({token.id, std::move(token.platform), token.expires_at, std::move(token.label)});
  const auto now = current_time();
  for (const auto& platform : settings.platforms) {
    const auto* const token = decisive_token(ends, platform.name, now);
    if (token && token->at <= now)
      results.fail("the last one of " + platform.name + " expired at " + domain::to_string(token->at),
                   "Run `roost token issue --platform " + platform.name +
                       "` and hand the token over, or `roost token revoke " + domain::to_string(token->id) +
                       "` if the platform is gone");
  }
}

void examine_tokens(findings& results, store::session& db, const config::settings& settings) {
  examine_expired_platforms(results, db, settings);
  const auto now = current_time();
  const auto live = store::partner_tokens::live(db, now);
  const auto expiring = std::ranges::count_if(
      live, [&](const auto& token) { return token.expires_at < now + expiries::warning_period; });
  if (expiring > 0)
    results.warn(std::to_string(expiring) + " of " + std::to_string(live.size()) + " expire within 21 days",
                 "See `roost token list`, then run `roost token issue` and hand the new ones over");
  else
    results.ok(std::to_string(live.size()) + " live");
}

std::string count_of(const std::vector<store::mail_record>& mails) {
  return std::to_string(mails.size()) + (mails.size() == max_mails ? " or more" : "");
}

void examine_outbox(findings& results, store::session& db) {
  const auto given_up = store::list_mails(db, {.state = store::mail_state::given_up}, max_mails);
  const auto waiting = store::list_mails(db, {.state = store::mail_state::waiting}, max_mails);
  if (!given_up.empty())
    results.warn(count_of(given_up) + " could not be sent and were given up",
                 "See `roost mail list --state given-up` for the reasons, then run `roost mail retry`");
  const auto failing = std::ranges::find_if(waiting, [](const auto& mail) { return mail.attempts > 0; });
  if (failing != waiting.end())
    results.warn(count_of(waiting) +
                     " waiting, some after failed attempts: " + failing->last_error.value_or("unknown"),
                 "See `roost mail list --state waiting`; docs/operations.md, Mail, explains the reasons");
  else
    results.ok(count_of(waiting) + " waiting");
}

} // namespace

void examine_store(findings& results, const config::settings& settings,
                   const std::optional<security::secrets>& secrets) {
  store::session db{settings.store.url};
  try {
    db.connect_to_existing();
    results.examine("store", [&] { examine_database(results, db, settings); });
    if (!examine_schema(results, db)) return;
    results.examine("secrets", [&] { examine_keys(results, db, secrets); });
    results.examine("clock", [&] { examine_clock(results, db); });
    results.examine("store", [&] { examine_copy(results, db); });
    results.examine("store", [&] { examine_move(results, db); });
    results.examine("server", [&] { examine_lease(results, db); });
    results.examine("requests", [&] { examine_queue(results, db, settings); });
    results.examine("links", [&] { examine_links(results, db, settings); });
    results.examine("blocks", [&] { examine_overlaps(results, db); });
    results.examine("users", [&] { examine_users(results, db); });
    results.examine("tokens", [&] { examine_tokens(results, db, settings); });
    results.examine("mail", [&] { examine_outbox(results, db); });
  } catch (const store::no_store& none) {
    results.start("store");
    results.fail(none.what(),
                 "Run `roost doctor` in the server's folder, or `roost migrate` to create a store");
  } catch (const store::unsuitable_database& error) {
    results.start("store");
    results.fail(error.what(), "No server starts with this database until that is changed");
  } catch (const store::error& error) {
    results.start("store");
    results.fail(error.what(), "Check store.url, and that the database is running");
  }
}

} // namespace roost::cli
