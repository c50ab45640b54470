#include "cli/context.hpp"
#include "cli/doctor_examinations.hpp"
#include "files/private_files.hpp"
#include "service/expiries.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/requests.hpp"
#include "store/credentials/credentials.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/messages/outbox.hpp"

#include <algorithm>
#include <chrono>

namespace roost::cli {

namespace {

constexpr std::chrono::seconds clock_tolerance{1};
constexpr std::chrono::minutes queue_patience{2}; // beyond a cycle
constexpr int connections_beside_lanes = 5;       // docs/operations.md, Configuration
constexpr std::size_t max_mails = 1'000;

void examine_database(findings& found, store::session& db, const config::settings& settings) {
  const auto facts = store::diagnose(db);
  if (!facts.damage.empty())
    found.wrong("store", facts.version + ": " + facts.damage, "Stop the server and restore a backup");
  else
    found.fine("store", facts.version + " answers");
  if (!facts.is_durable)
    found.wrong("store", "commits may be lost: fsync or synchronous_commit is off in PostgreSQL",
                "Switch both on: an acknowledged booking must survive a crash");
  const std::int64_t needed = settings.store.sessions + connections_beside_lanes;
  if (facts.free_connections && *facts.free_connections < needed)
    found.warn("store",
               "PostgreSQL has " + std::to_string(*facts.free_connections) +
                   " connections left, and a server takes " + std::to_string(needed),
               "Raise max_connections, unless this server has its own already");
  if (!facts.file) return;
  if (files::is_open_to_others(*facts.file))
    found.warn("store", *facts.file + " is readable by users other than its owner",
               "chmod 600 it, and its -wal and -shm");
  examine_space(found, "store", std::filesystem::path(*facts.file).parent_path());
}

/// False where nothing else can be asked of the store.
bool examine_schema(findings& found, store::session& db) {
  try {
    if (!store::has_schema(db)) {
      found.wrong("schema", "there is no store yet",
                  "`roost migrate` or the first start of the server makes it");
      return false;
    }
    if (!store::schema_is_current(db)) {
      found.wrong("schema", "it is older than this program",
                  "Back up, then `roost migrate` or start the server");
      return false;
    }
  } catch (const store::schema_mismatch& other) {
    found.wrong("schema", other.what(), "Run the program that made it, or a newer one");
    return false;
  }
  found.fine("schema", "it is this program's");
  return true;
}

void examine_keys(findings& found, store::session& db, const std::optional<security::secrets>& secrets) {
  const auto known = store::signing_keys_of(db);
  if (!known) return;
  if (!secrets)
    found.wrong(
        "secrets",
        "the store's tokens were signed with keys (" + *known +
            ") of a secrets.file that is "
            "missing or unreadable",
        "Restore it, or name the right one; `roost secrets adopt` makes a new one, which ends all tokens");
  else if (secrets->fingerprint() != *known)
    found.wrong("secrets", "the store's tokens were signed with other keys (" + *known + ")",
                "Name the right file in secrets.file, or `roost secrets adopt`, which ends all tokens");
}

/// SQLite's clock is this machine's. What tells of a wrong one is a moment in the store that is still to
/// come.
void examine_moments(findings& found, store::session& db) {
  domain::timestamp newest{};
  for (const auto& entry : store::list_audit(db, 1)) newest = std::max(newest, entry.made_at);
  for (const auto& record : store::list_requests(db, {}, 1))
    newest = std::max(newest, record.request.received_at);
  if (newest > this_moment() + clock_tolerance)
    found.warn("clock",
               "the store's newest entry is of " + domain::to_string(newest) + ", which is still to come",
               "Look at this machine's clock: it is behind, or was ahead when that was written");
  else
    found.fine("clock",
               "SQLite has none to compare this machine's with; no entry of the store is of the future");
}

void examine_clock(findings& found, store::session& db) {
  if (db.is_sqlite()) return examine_moments(found, db);
  const auto ahead = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now() -
                                                                           store::database_clock(db));
  const auto text = std::to_string(ahead.count()) + " ms ahead of the database's";
  if (std::chrono::abs(ahead) > clock_tolerance)
    found.wrong("clock", "this machine's is " + text, "Synchronise both with the same time servers");
  else
    found.fine("clock", "this machine's is " + text);
}

void examine_copy(findings& found, store::session& db) {
  if (const auto begun = store::read_copy_marker(db))
    found.wrong("store",
                begun->now == store::copy_marker::state::differs ? "it is a copy that differs from its source"
                                                                 : "it is an unfinished copy",
                "No server takes it: run `roost copy` from its source again, or empty the database");
}

void examine_lease(findings& found, store::session& db) {
  const auto held = store::current_lease(db);
  if (!held || held->expired)
    return found.warn("server", "none serves this store", "Start one: `roost serve`");
  const auto until = domain::to_string(held->expires_at);
  if (!store::is_credible(*held))
    return found.warn("server",
                      held->holder.node + " has the lease until " + until +
                          ", which was set by a wrong clock: no server believes that",
                      "A server that stands by takes it within ten seconds; `roost lease show` tells more");
  if (held->holder.node.starts_with(store::copying_node_prefix))
    return found.warn("server",
                      "no server serves this store while it is being copied, until " + until + " at least",
                      "Wait for the end of `roost copy`");
  found.fine("server", held->holder.node + " serves until " + until);
}

void examine_queue(findings& found, store::session& db, const config::settings& settings) {
  if (store::is_import_pending(db))
    found.warn("import", "one is not written to its end", "The running server does it, or the next start");
  const auto oldest = store::pending_requests(db, 0, 1);
  if (oldest.empty()) return found.fine("requests", "none waits for its decision");
  const auto waits =
      std::chrono::floor<std::chrono::seconds>(this_moment() - oldest.front().request.received_at);
  const auto text = "the oldest that waits for its decision does for " + std::to_string(waits.count()) + " s";
  if (waits > settings.bookings.cycle + queue_patience)
    found.wrong("requests", text,
                "Does a server serve this store? See /readyz and its log: decision_not_recordable");
  else
    found.fine("requests", text);
}

/// A platform whose last token has ended by itself gets 401, and may not have noticed.
void examine_lost_platforms(findings& found, store::session& db, const config::settings& settings) {
  std::vector<token_end> ends;
  for (auto& token : store::partner_tokens::all(db))
    if (!token.ended_at)
      ends.push_back({token.id, std::move(token.platform), token.expires_at, std::move(token.label)});
  const auto now = this_moment();
  for (const auto& platform : settings.platforms) {
    const auto* const token = token_that_counts(ends, platform.name, now);
    if (token && token->at <= now)
      found.wrong("tokens", "the last one of " + platform.name + " ended at " + domain::to_string(token->at),
                  "`roost token issue --platform " + platform.name +
                      "`, and hand it over; or `roost token revoke " + domain::to_string(token->id) +
                      "` where the platform is gone");
  }
}

void examine_tokens(findings& found, store::session& db, const config::settings& settings) {
  examine_lost_platforms(found, db, settings);
  const auto now = this_moment();
  const auto live = store::partner_tokens::live(db, now);
  const auto ending =
      std::ranges::count_if(live, [&](const auto& token) { return token.expires_at < now + ends_soon; });
  if (ending > 0)
    found.warn("tokens",
               std::to_string(ending) + " of " + std::to_string(live.size()) + " end within 21 days",
               "`roost token list`, then `roost token issue` and hand the new ones over");
  else
    found.fine("tokens", std::to_string(live.size()) + " are live");
}

std::string count_of(const std::vector<store::mail_record>& mails) {
  return std::to_string(mails.size()) + (mails.size() == max_mails ? " or more" : "");
}

void examine_outbox(findings& found, store::session& db) {
  const auto given_up = store::list_mails(db, {.state = store::mail_state::given_up}, max_mails);
  const auto waiting = store::list_mails(db, {.state = store::mail_state::waiting}, max_mails);
  if (!given_up.empty())
    found.warn("mail", count_of(given_up) + " could not be sent and were given up",
               "`roost mail list --state given-up` for the reasons, then run `roost mail retry`");
  const auto failing = std::ranges::find_if(waiting, [](const auto& mail) { return mail.attempts > 0; });
  if (failing != waiting.end())
    found.warn("mail",
               count_of(waiting) + " wait, of which some failed: " + failing->last_error.value_or("unknown"),
               "`roost mail list --state waiting`; docs/operations.md, Mail, says what each reason means");
  else
    found.fine("mail", count_of(waiting) + " wait");
}

} // namespace

void examine_store(findings& found, const config::settings& settings,
                   const std::optional<security::secrets>& secrets) {
  store::session db{settings.store.url};
  try {
    db.connect_to_existing();
    found.examine("store", [&] { examine_database(found, db, settings); });
    if (!examine_schema(found, db)) return;
    found.examine("secrets", [&] { examine_keys(found, db, secrets); });
    found.examine("clock", [&] { examine_clock(found, db); });
    found.examine("store", [&] { examine_copy(found, db); });
    found.examine("server", [&] { examine_lease(found, db); });
    found.examine("requests", [&] { examine_queue(found, db, settings); });
    found.examine("tokens", [&] { examine_tokens(found, db, settings); });
    found.examine("mail", [&] { examine_outbox(found, db); });
  } catch (const store::no_store& none) {
    found.wrong("store", none.what(), "Run this where the server runs, or `roost migrate` to make a store");
  } catch (const store::error& failed) {
    found.wrong("store", failed.what(), "See store.url, and whether the database runs");
  }
}

} // namespace roost::cli
