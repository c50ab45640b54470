#include "config/rules.hpp"

#include "config/addresses.hpp"
#include "config/platform_values.hpp"

#include <algorithm>

namespace roost::config {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t many = 1'000'000;
constexpr std::int64_t max_threads = 1'024;
/// Below 8 KiB argon2id does not work; above the others nobody waits for a sign-in.
constexpr std::int64_t least_password_memory = 8;
constexpr std::int64_t max_password_memory = 1'048'576;
constexpr std::int64_t max_password_passes = 100;
constexpr std::int64_t max_password_lanes = 64;

/// Adds the rules of one section, whose values are members of one part of the settings.
template <class Section>
class section_rules {
public:
  section_rules(std::vector<rule<settings>>& rules, std::string_view name, Section settings::*part)
      : rules_(rules), name_(name), part_(part) {}

  template <class T>
  void add(std::string_view key, T Section::*member, format<T> how, std::string_view help) {
    const auto read = [part = part_, member, convert = how.read](settings& target, const toml::node& node) {
      target.*part.*member = convert(node);
    };
    rules_.push_back({name_, key, help, how.type, how.secret, false, read});
  }

private:
  std::vector<rule<settings>>& rules_;
  std::string_view name_;
  Section settings::*part_;
};

/// The rule of one key of a list's entries.
template <class Entry, class T>
rule<Entry> entry_rule(std::string_view section, std::string_view key, bool required, T Entry::*member,
                       format<T> how, std::string_view help) {
  const auto read = [member, convert = how.read](Entry& target, const toml::node& node) {
    target.*member = convert(node);
  };
  return {section, key, help, how.type, how.secret, required, read};
}

/// What is shorter is taken for a mistake: no platform reads lists that often.
constexpr std::chrono::milliseconds shortest_rebuild{100};

format<std::chrono::milliseconds> at_least(std::chrono::milliseconds least) { return duration_format(least); }

template <class Integer = unsigned>
format<Integer> count_from(std::int64_t least) {
  return integer_format<Integer>(least, many);
}

void add_listeners(std::vector<rule<settings>>& rules) {
  using part = server_settings;
  section_rules server(rules, "server", &settings::server);
  server.add("listen", &part::listen, listen_endpoint(), "address and port for platforms and browsers");
  server.add("base_url", &part::base_url, base_url(), "the same place as the outside world sees it");
  server.add("tls_certificate", &part::tls_certificate, optional_path(), "PEM; with tls_key HTTPS only");
  server.add("tls_key", &part::tls_key, optional_path(), "PEM; the key of tls_certificate");
  server.add("io_threads", &part::io_threads, integer_format<unsigned>(0, max_threads),
             "threads that serve connections; 0: chosen from the cores");
  server.add("trusted_proxies", &part::trusted_proxies, networks(), "whose X-Forwarded-For is believed");
  server.add("max_in_flight", &part::max_in_flight, count_from<std::size_t>(1),
             "requests worked on at the same time; one platform may have as many as are left");
  server.add("max_bodies_per_platform", &part::max_bodies_per_platform, count_from<std::size_t>(1),
             "requests of one platform whose body is still coming");
  server.add("max_bodies_per_address", &part::max_bodies_per_address, count_from<std::size_t>(1),
             "requests of one client whose body is still coming");
  server.add("max_connections", &part::max_connections, count_from<std::size_t>(1), "idle ones included");
  server.add("header_timeout", &part::header_timeout, at_least(1ms), "for a request's header to arrive");
  server.add("body_timeout", &part::body_timeout, at_least(1ms), "for a request's body to arrive");
  server.add("idle_timeout", &part::idle_timeout, at_least(1ms), "between two requests of a connection");
  server.add("drain_timeout", &part::drain_timeout, at_least(0ms),
             "for running requests to finish at shutdown");

  section_rules ops(rules, "ops", &settings::ops);
  ops.add("listen", &ops_settings::listen, listen_endpoint(), "for /metrics, /healthz and /readyz");
}

void add_storage(std::vector<rule<settings>>& rules) {
  section_rules store(rules, "store", &settings::store);
  store.add("url", &store_settings::url, store_url(), "where everything is kept");
  store.add("sessions", &store_settings::sessions, integer_format<unsigned>(1, max_threads),
            "connections to the store");

  section_rules secrets(rules, "secrets", &settings::secrets);
  secrets.add("file", &secrets_settings::file, file_path(),
              "the service's own keys; made on the first start");
}

format<bool> gathering_of_refusals() {
  return text_format<bool>("a way to mail refusals (each or hourly)", "\"each\"",
                           [](const std::string& text) -> std::optional<bool> {
                             if (text == "each") return false;
                             if (text == "hourly") return true;
                             return std::nullopt;
                           });
}

/// Nothing brings back what was erased, and whoever writes 1m may mean a month.
format<std::chrono::milliseconds> time_that_guests_are_kept() {
  const auto any = at_least(0ms);
  const auto read = [any = any.read](const toml::node& node) {
    const auto keep = any(node);
    if (keep > 0ms && keep < 24h)
      throw refusal{shown(node) +
                    " is too short: at least \"1d\", a day (m are minutes), or \"0s\": for ever"};
    return keep;
  };
  return {any.type, read};
}

void add_background_work(std::vector<rule<settings>>& rules) {
  section_rules bookings(rules, "bookings", &settings::bookings);
  bookings.add("cycle", &bookings_settings::cycle, at_least(1ms), "between two runs over booking requests");

  section_rules feeds(rules, "feeds", &settings::feeds);
  feeds.add("rebuild", &feeds_settings::rebuild, at_least(shortest_rebuild),
            "between two builds of the lists");

  section_rules changes(rules, "changes", &settings::changes);
  changes.add("keep", &changes_settings::keep, at_least(1min), "how long the stream of changes is kept");

  section_rules privacy(rules, "privacy", &settings::privacy);
  privacy.add("keep", &privacy_settings::keep, time_that_guests_are_kept(),
              "how long guests' data is kept after their last stay, a day or more; 0s: for ever");

  section_rules mail(rules, "mail", &settings::mail);
  mail.add("transport", &mail_settings::transport, transport(), "a folder or an SMTP server");
  mail.add("from", &mail_settings::from, mail_address(), "the sender of every message");
  mail.add("refusals", &mail_settings::gathers_refusals, gathering_of_refusals(),
           "each: a mail for each refusal; hourly: one an hour for an account's");
  mail.add("keep", &mail_settings::keep, at_least(1h), "how long mails are kept once sent or given up");
}

void add_sign_in(std::vector<rule<settings>>& rules) {
  using part = sessions_settings;
  section_rules sessions(rules, "sessions", &settings::sessions);
  sessions.add("access_token", &part::access_token, at_least(1s), "lifetime, the connector's too");
  sessions.add("session", &part::session, at_least(1s), "lifetime from the sign-in");
  sessions.add("refresh_grace", &part::refresh_grace, at_least(0ms),
               "how long a replaced refresh cookie is taken for a double click");
  sessions.add("remembered_browser", &part::remembered_browser, at_least(1s), "skips the emailed code");
  sessions.add("code", &part::code, at_least(1s), "lifetime of an emailed code");
  sessions.add("password_reset", &part::password_reset, at_least(1s),
               "lifetime of a link for a forgotten password");
  sessions.add("code_tries", &part::code_tries, count_from(1), "tries for one emailed code");
  sessions.add("code_resends", &part::code_resends, count_from(0), "further codes for one sign-in");
  sessions.add("codes_per_15m", &part::codes_per_15m, count_from(1), "codes for one user in 15 minutes");
  sessions.add("wrong_passwords_per_15m", &part::wrong_passwords_per_15m, count_from(1),
               "for one address in 15 minutes");
  sessions.add("hashing_threads", &part::hashing_threads, integer_format<unsigned>(0, max_threads),
               "threads that check passwords; 0: chosen from the cores");
  sessions.add("hashing_queue", &part::hashing_queue, count_from(1), "passwords that may wait for them");
  sessions.add("password_memory", &part::password_memory,
               integer_format<std::uint32_t>(least_password_memory, max_password_memory),
               "argon2id: KiB that one password takes");
  sessions.add("password_passes", &part::password_passes,
               integer_format<std::uint32_t>(1, max_password_passes),
               "argon2id: how often the memory is gone over");
  sessions.add("password_lanes", &part::password_lanes, integer_format<std::uint32_t>(1, max_password_lanes),
               "argon2id: threads of one password");
  sessions.add("identity_jwks", &part::identity_jwks, optional_file_or_https_url(),
               "third-party sign-in: the issuer's keys");
  sessions.add("identity_issuer", &part::identity_issuer, any_text(), "third-party sign-in: the issuer");
  sessions.add("identity_audience", &part::identity_audience, any_text(),
               "third-party sign-in: our own name");
}

format<bool> addresses_of_documents() {
  return text_format<bool>("a kind of addresses (public or any)", "\"public\"",
                           [](const std::string& text) -> std::optional<bool> {
                             if (text == "public") return false;
                             if (text == "any") return true;
                             return std::nullopt;
                           });
}

format<connector_signing> signing() {
  return text_format<connector_signing>("a way of signing (hs256 or es256)", "\"hs256\"",
                                        [](const std::string& text) -> std::optional<connector_signing> {
                                          if (text == "hs256") return connector_signing::hs256;
                                          if (text == "es256") return connector_signing::es256;
                                          return std::nullopt;
                                        });
}

void add_connector(std::vector<rule<settings>>& rules) {
  using part = connector_settings;
  section_rules connector(rules, "connector", &settings::connector);
  connector.add("callbacks", &part::callbacks, https_urls(),
                "where an assistant may be sent back to, exactly");
  connector.add("prefixes", &part::prefixes, https_prefixes(), "and beginnings of such URLs");
  connector.add("tool_server", &part::tool_server, web_url(), "whom the tokens are for");
  connector.add("client_documents", &part::client_documents, web_hosts(),
                "hosts whose assistants are known by a document there; empty: none");
  connector.add("client_documents_ca", &part::client_documents_ca, optional_path(),
                "who may vouch for these hosts: a PEM file; empty: the system's");
  connector.add("client_document_addresses", &part::client_documents_anywhere, addresses_of_documents(),
                "public, or any: whether such hosts may be in a private network");
  connector.add("signing", &part::signing, signing(), "hs256, or es256 with public keys at /oauth/jwks");
  connector.add("refresh_grace", &part::refresh_grace, at_least(0ms),
                "how long a replaced refresh token is taken for a repetition; 0s: never");
  connector.add("max_clients", &part::max_clients, count_from(1), "clients that may be registered in all");
  connector.add("consent_form", &part::consent_form, at_least(1s), "lifetime of an open consent form");
  connector.add("code", &part::code, at_least(1s), "lifetime of an authorization code");
  connector.add("refresh_token", &part::refresh_token, at_least(1s), "lifetime of an unused refresh token");
}

void add_rate_limits(std::vector<rule<settings>>& rules) {
  using part = rate_limit_settings;
  section_rules limits(rules, "rate_limits", &settings::rate_limits);
  const auto add = [&](std::string_view key, unsigned part::*member, std::string_view help) {
    limits.add(key, member, count_from(0), help);
  };
  add("login", &part::login, "a minute and client address; 0: none");
  add("verify_otp", &part::verify_otp, "codes tried");
  add("resend_otp", &part::resend_otp, "codes sent again");
  add("logout", &part::logout, "sign-outs");
  add("refresh", &part::refresh, "access tokens renewed");
  add("management", &part::management, "every other management route");
  add("discovery", &part::discovery, "the connector's metadata");
  add("register", &part::registration, "clients of the connector");
  add("authorize", &part::authorize, "consent forms opened");
  add("decision", &part::decision, "consent forms sent");
  add("token", &part::token, "the connector's token endpoint");
}

format<scheduler_policy> policy() {
  return text_format<scheduler_policy>("a scheduler (asio, stealing or sharing)", "\"asio\"",
                                       [](const std::string& text) -> std::optional<scheduler_policy> {
                                         if (text == "asio") return scheduler_policy::asio;
                                         if (text == "stealing") return scheduler_policy::stealing;
                                         if (text == "sharing") return scheduler_policy::sharing;
                                         return std::nullopt;
                                       });
}

void add_scheduler(std::vector<rule<settings>>& rules) {
  using part = scheduler_settings;
  section_rules scheduler(rules, "scheduler", &settings::scheduler);
  const auto add = [&](std::string_view key, std::size_t part::*member, std::string_view help) {
    scheduler.add(key, member, count_from<std::size_t>(1), help);
  };
  const auto shortest_sleep = std::chrono::nanoseconds(1us);
  scheduler.add("policy", &part::policy, policy(), "asio, stealing or sharing");
  scheduler.add("max_threads", &part::max_threads, integer_format<std::size_t>(0, max_threads),
                "of stealing and sharing; 0: chosen from the cores");
  scheduler.add("max_throughput", &part::max_throughput, count_from<std::size_t>(0),
                "messages an actor handles in one turn; 0: no bound (asio: 64, its most)");
  add("aggressive_poll_attempts", &part::aggressive_poll_attempts, "stealing: eager looks for work");
  add("aggressive_steal_interval", &part::aggressive_steal_interval, "stealing: eager looks for each theft");
  add("moderate_poll_attempts", &part::moderate_poll_attempts, "stealing: looks with short sleeps");
  add("moderate_steal_interval", &part::moderate_steal_interval, "stealing: such looks for each theft");
  scheduler.add("moderate_sleep_duration", &part::moderate_sleep_duration, duration_format(shortest_sleep),
                "stealing: the short sleep");
  add("relaxed_steal_interval", &part::relaxed_steal_interval, "stealing: late looks for each theft");
  scheduler.add("relaxed_sleep_duration", &part::relaxed_sleep_duration, duration_format(shortest_sleep),
                "stealing: the long sleep");
  scheduler.add("slow_run", &part::slow_run, duration_format(std::chrono::nanoseconds(0)),
                "an actor that runs so long is logged; 0s: never");
}

format<log_level> level() {
  return text_format<log_level>("a level (debug, info, warn or error)", "\"info\"",
                                [](const std::string& text) -> std::optional<log_level> {
                                  if (text == "debug") return log_level::debug;
                                  if (text == "info") return log_level::info;
                                  if (text == "warn") return log_level::warn;
                                  if (text == "error") return log_level::error;
                                  return std::nullopt;
                                });
}

format<log_format> line_format() {
  return text_format<log_format>("a format (text or json)", "\"text\"",
                                 [](const std::string& text) -> std::optional<log_format> {
                                   if (text == "text") return log_format::text;
                                   if (text == "json") return log_format::json;
                                   return std::nullopt;
                                 });
}

format<bool> on_or_off() {
  return text_format<bool>("a switch (on or off)", "\"on\"",
                           [](const std::string& text) -> std::optional<bool> {
                             if (text == "on") return true;
                             if (text == "off") return false;
                             return std::nullopt;
                           });
}

void add_watching(std::vector<rule<settings>>& rules) {
  section_rules log(rules, "log", &settings::log);
  log.add("level", &log_settings::level, level(), "events below it are not logged");
  log.add("format", &log_settings::format, line_format(), "of a line: text, or a JSON object");

  section_rules metrics(rules, "metrics", &settings::metrics);
  metrics.add("actors", &metrics_settings::actors, on_or_off(), "whether runs of actors are measured");
}

std::vector<rule<settings>> all_setting_rules() {
  std::vector<rule<settings>> rules;
  add_listeners(rules);
  add_storage(rules);
  add_background_work(rules);
  add_sign_in(rules);
  add_connector(rules);
  add_rate_limits(rules);
  add_scheduler(rules);
  add_watching(rules);
  return rules;
}

} // namespace

const std::vector<rule<settings>>& setting_rules() {
  static const auto rules = all_setting_rules();
  return rules;
}

const std::vector<rule<domain::platform>>& platform_rules() {
  using entry = domain::platform;
  constexpr auto section = platforms_section;
  static const std::vector<rule<entry>> rules = {
      entry_rule(section, "name", true, &entry::name, platform_name(), "in messages and portfolio files"),
      entry_rule(section, "kind", true, &entry::kind, platform_kind(), "which of the partner interfaces"),
      entry_rule(section, "prefix", true, &entry::prefix, route_prefix(), "the first part of its routes"),
      entry_rule(section, "domains", false, &entry::domains, host_names(), "where links to it may point"),
      entry_rule(section, "regions", false, &entry::regions, regions(),
                 "marketplace-d: the cities it accepts"),
      entry_rule(section, "account", false, &entry::account, account_id(), "single-landlord: whose units"),
  };
  return rules;
}

const std::vector<rule<domain::short_term_host>>& short_term_host_rules() {
  using entry = domain::short_term_host;
  constexpr auto section = short_term_hosts_section;
  static const std::vector<rule<entry>> rules = {
      entry_rule(section, "name", true, &entry::name, some_text(), "what the host is called"),
      entry_rule(section, "match", true, &entry::match, host_names(), "domains it is recognised by"),
      entry_rule(section, "agents", false, &entry::agents, product_names(),
                 "products of its User-Agents, without a version"),
  };
  return rules;
}

format<std::vector<std::string>> permissions() {
  return list_format("a permission", "[\"bookings.view\", \"bookings.create\"]", [](const std::string& text) {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '.';
    };
    return text == "*" || (!text.empty() && std::ranges::all_of(text, allowed));
  });
}

} // namespace roost::config
