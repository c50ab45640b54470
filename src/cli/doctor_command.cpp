#include "cli/commands.hpp"
#include "domain/web_address.hpp"
#include "files/private_files.hpp"
#include "http/protocol/tls.hpp"
#include "store/credentials/credentials.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/copy_marker.hpp"
#include "store/database/diagnosis.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/messages/outbox.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <sys/resource.h>

namespace roost::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::uintmax_t little_space = std::uintmax_t{1} << 30;
constexpr std::chrono::days soon{21};
constexpr std::chrono::seconds clock_tolerance{1};
constexpr rlim_t descriptors_beside_connections = 200; // stores' sessions, files, the operator's listener

/// What an examination finds, and what to do about it.
class findings {
public:
  explicit findings(list_format format) : list_(format, {"state", "subject", "finding", "advice"}) {}

  void fine(const std::string& subject, const std::string& finding) { add("ok", subject, finding, ""); }
  void warn(const std::string& subject, const std::string& finding, const std::string& advice) {
    add("warning", subject, finding, advice);
  }
  void wrong(const std::string& subject, const std::string& finding, const std::string& advice) {
    add("wrong", subject, finding, advice);
    is_well_ = false;
  }
  bool is_well() const { return is_well_; }

private:
  static std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
  }

  void add(const std::string& state, const std::string& subject, const std::string& finding,
           const std::string& advice) {
    list_.add({shown_as(state, padded(state, 7)), shown_as(subject, padded(subject, 13)),
               shown_as(finding, finding + (advice.empty() ? "" : ".")), shown(advice)});
  }

  printed_list list_;
  bool is_well_ = true;
};

std::string in_gib(std::uintmax_t bytes) {
  const auto tenths = bytes * 10 / (std::uintmax_t{1} << 30);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

void examine_space(findings& found, const std::string& subject, const std::filesystem::path& folder) {
  std::error_code failed;
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, failed);
  if (failed) return;
  if (space.available < little_space)
    found.warn(subject, "only " + in_gib(space.available) + " are free on its disk",
               "Make room: a full disk stops bookings");
  else
    found.fine(subject, in_gib(space.available) + " are free on its disk");
}

void examine_secrets(findings& found, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  try {
    if (!security::secrets::load(file))
      return found.warn(
          "secrets", "there is no " + std::filesystem::absolute(file).string(),
          "The first start of the server makes it; restore it where tokens were issued already");
    found.fine("secrets", file.string() + " can be read by its owner alone");
  } catch (const std::exception& failed) {
    found.wrong("secrets", failed.what(), "The server does not start with it");
  }
}

bool covers(const std::string& names, const std::string& host) {
  const auto wild = "*" + host.substr(std::min(host.find('.'), host.size()));
  const auto padded = "," + names + ",";
  return padded.find("," + host + ",") != std::string::npos ||
         padded.find("," + wild + ",") != std::string::npos;
}

void examine_lifetime(findings& found, const http::certificate_facts& certificate) {
  const auto now = std::chrono::system_clock::now();
  const auto until = domain::to_string(certificate.until);
  if (certificate.until <= now)
    found.wrong("certificate", certificate.file + " ended at " + until, "Renew it, then send SIGHUP");
  else if (certificate.from > now)
    found.wrong("certificate", certificate.file + " begins only at " + domain::to_string(certificate.from),
                "Compare this machine's clock with the certificate");
  else if (certificate.until - now < soon)
    found.warn("certificate", certificate.file + " ends at " + until, "Renew it, then send SIGHUP");
  else
    found.fine("certificate", certificate.file + " is good until " + until);
}

void examine_certificate(findings& found, const config::settings& settings) {
  if (settings.server.tls_certificate.empty()) return;
  try {
    const auto certificate =
        http::load_tls(settings.server.tls_certificate.string(), settings.server.tls_key.string())
            .certificate;
    examine_lifetime(found, certificate);
    const auto base = domain::parse_web_address(settings.server.base_url);
    if (base && base->scheme == "https" && !covers(certificate.names, base->host))
      found.warn("certificate",
                 certificate.file + " is for " + certificate.names + ", and server.base_url names " +
                     base->host,
                 "Have it made for that host too, unless a proxy stands before the server");
  } catch (const std::exception& failed) {
    found.wrong("certificate", failed.what(), "The server does not start with it");
  }
}

void examine_database(findings& found, store::session& db, const config::settings& settings) {
  const auto facts = store::diagnose(db);
  if (!facts.damage.empty())
    found.wrong("store", facts.version + ": " + facts.damage, "Stop the server and restore a backup");
  else
    found.fine("store", facts.version + " answers");
  if (!facts.is_durable)
    found.wrong("store", "commits may be lost: fsync or synchronous_commit is off in PostgreSQL",
                "Switch both on: an acknowledged booking must survive a crash");
  const std::int64_t needed = settings.store.sessions;
  if (facts.free_connections && *facts.free_connections < needed)
    found.warn("store",
               "PostgreSQL has " + std::to_string(*facts.free_connections) +
                   " connections left, and a server takes " + std::to_string(needed) + " and some more",
               "Raise max_connections, unless this server has its own already");
  if (!facts.file) return;
  if (files::is_open_to_others(*facts.file))
    found.warn("store", *facts.file + " can be read by others than its owner",
               "chmod 600 it, and its -wal and -shm");
  examine_space(found, "store", std::filesystem::path(*facts.file).parent_path());
}

void examine_schema(findings& found, store::session& db) {
  if (!store::has_schema(db))
    found.wrong("schema", "there is no store yet",
                "`roost migrate` or the first start of the server makes it");
  else if (!store::schema_is_current(db))
    found.wrong("schema", "it is older than this program",
                "Back up, then `roost migrate` or start the server");
  else
    found.fine("schema", "it is this program's");
}

void examine_keys(findings& found, store::session& db, const config::settings& settings) {
  const auto keys = security::secrets::load(settings.secrets.file);
  const auto known = store::signing_keys_of(db);
  if (keys && known && keys->fingerprint() != *known)
    found.wrong("secrets", "the store's tokens were signed with other keys (" + *known + ")",
                "Name the right file in secrets.file, or `roost secrets adopt`, which ends all tokens");
}

void examine_clock(findings& found, store::session& db) {
  const auto ahead = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now() -
                                                                           store::database_clock(db));
  const auto text = std::to_string(ahead.count()) + " ms ahead of the database's";
  if (std::chrono::abs(ahead) > clock_tolerance)
    found.wrong("clock", "this machine's is " + text, "Have both follow the same time servers");
  else
    found.fine("clock", "this machine's is " + text);
}

void examine_copy(findings& found, store::session& db) {
  if (const auto begun = store::read_copy_marker(db))
    found.wrong("store",
                begun->now == store::copy_marker::state::differs ? "it is a copy that differs from its source"
                                                                 : "it is a copy that is not finished",
                "No server takes it: run `roost copy` from its source again, or empty the database");
}

void examine_lease(findings& found, store::session& db) {
  const auto held = store::current_lease(db);
  if (!held || held->expired)
    return found.warn("server", "none serves this store", "Start one: `roost serve`");
  found.fine("server", held->holder.node + " serves until " + domain::to_string(held->expires_at));
}

void examine_tokens(findings& found, store::session& db) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto live = store::partner_tokens::live(db, now);
  const auto ending =
      std::ranges::count_if(live, [&](const auto& token) { return token.expires_at < now + soon; });
  if (ending > 0)
    found.warn("tokens",
               std::to_string(ending) + " of " + std::to_string(live.size()) + " end within 21 days",
               "`roost token list`, then `roost token issue` and hand the new ones over");
  else
    found.fine("tokens", std::to_string(live.size()) + " are live");
}

void examine_mail(findings& found, store::session& db, const config::settings& settings) {
  const auto given_up = store::list_mails(db, {.state = store::mail_state::given_up}, 1'000).size();
  const auto waiting = store::list_mails(db, {.state = store::mail_state::waiting}, 1'000).size();
  if (given_up > 0)
    found.warn("mail", std::to_string(given_up) + " could not be sent and were given up",
               "`roost mail list --state given-up` tells why; then `roost mail retry`");
  found.fine("mail", std::to_string(waiting) + " wait; `roost mail test ADDRESS` sends one");
  if (settings.mail.transport.by == config::mail_transport::protocol::file)
    found.warn("mail",
               "it is written to the folder " + settings.mail.transport.folder.string() +
                   ", and nobody gets it",
               "Set mail.transport to a server, unless that is meant");
}

void examine_limits(findings& found, const config::settings& settings) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t needed = settings.server.max_connections + descriptors_beside_connections;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < needed)
    found.warn("limits",
               "a process may open " + std::to_string(limit.rlim_max) +
                   " files, and server.max_connections is " + std::to_string(settings.server.max_connections),
               "Raise LimitNOFILE or `ulimit -n`, or lower the key");
  else
    found.fine("limits", "enough open files for server.max_connections");
}

void examine_addresses(findings& found, const config::settings& settings) {
  const auto& address = settings.server.listen.address;
  const bool is_local = address.starts_with("127.") || address == "::1";
  if (!is_local && settings.server.tls_certificate.empty() && settings.server.trusted_proxies.empty())
    found.warn(
        "server", "it listens at " + to_string(settings.server.listen) + " without TLS and without a proxy",
        "Set server.tls_certificate and tls_key, or put a proxy in front and name it in trusted_proxies");
  if (!is_local && settings.server.base_url.find("//localhost") != std::string::npos)
    found.warn("server", "server.base_url is " + settings.server.base_url,
               "Set it to the address that others use");
}

void examine_store(findings& found, const config::settings& settings) {
  store::session db{settings.store.url};
  try {
    db.connect_to_existing();
    examine_database(found, db, settings);
    examine_schema(found, db);
    if (!store::has_schema(db) || !store::schema_is_current(db)) return;
    examine_keys(found, db, settings);
    examine_clock(found, db);
    examine_copy(found, db);
    examine_lease(found, db);
    examine_tokens(found, db);
    examine_mail(found, db, settings);
  } catch (const store::no_store& none) {
    found.wrong("store", none.what(), "Run this where the server runs, or `roost migrate` to make a store");
  } catch (const store::error& failed) {
    found.wrong("store", failed.what(), "See store.url, and whether the database runs");
  }
}

} // namespace

int examine(const common_options& common) {
  findings found(common.format);
  try {
    const auto configuration = load_configuration(common);
    found.fine("configuration", "it is in order; `roost config` prints it");
    for (const auto& [key, reason] : configuration.idle)
      found.warn("configuration", std::string(key).append(" does nothing: ").append(reason), "Leave it out");
    examine_addresses(found, configuration.values);
    examine_certificate(found, configuration.values);
    examine_limits(found, configuration.values);
    examine_secrets(found, configuration.values);
    examine_store(found, configuration.values);
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems())
      found.wrong("configuration", config::to_string(problem), "Correct it where the line says it came from");
  }
  return found.is_well() ? 0 : 1;
}

} // namespace roost::cli
