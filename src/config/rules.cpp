#include "config/reader.hpp"

#include <algorithm>
#include <type_traits>

namespace roost::config {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t max_count = 1'000'000;
constexpr std::int64_t max_threads = 1'024;
/// Argon2id needs at least 8 KiB; beyond the other limits a sign-in would take too long.
constexpr std::int64_t min_password_memory = 8;
constexpr std::int64_t max_password_memory = 1'048'576;
constexpr std::int64_t max_password_passes = 100;
constexpr std::int64_t max_password_lanes = 64;

/// Adds the rules of one section, whose values are the members of `settings::*part`.
template <class Section>
class section_rules {
public:
  section_rules(std::vector<rule<settings>>& rules, std::string_view name, Section settings::*part)
      : rules_(rules), name_(name), part_(part) {}

  /// `member` may be one of a base of the section.
  template <class T>
  void add(std::string_view key, std::type_identity_t<T> Section::*member, format<T> format,
           std::string_view help) {
    const auto read = [part = part_, member, convert = format.read](
                          settings& target, const toml::node& node) { target.*part.*member = convert(node); };
    rules_.push_back({name_, key, help, format.secret, false, read});
  }

private:
  std::vector<rule<settings>>& rules_;
  std::string_view name_;
  Section settings::*part_;
};

/// Returns the rule of one key in the entries of a list.
template <class Entry, class T>
rule<Entry> entry_rule(std::string_view section, std::string_view key, bool required, T Entry::*member,
                       format<T> format, std::string_view help) {
  const auto read = [member, convert = format.read](Entry& target, const toml::node& node) {
    target.*member = convert(node);
  };
  return {section, key, help, format.secret, required, read};
}

/// A shorter interval is probably a mistake: no platform reads lists that often.
constexpr std::chrono::milliseconds min_rebuild{100};

format<std::chrono::milliseconds> at_least(std::chrono::milliseconds min) { return duration_format(min); }

template <class Integer = unsigned>
format<Integer> count_from(std::int64_t min) {
  return integer_format<Integer>(min, max_count);
}

bool is_not_empty(const std::string& text) { return !text.empty(); }

/// Accepts exactly these words.
template <class T>
format<T> one_of(std::string expected, std::vector<std::pair<std::string, T>> choices) {
  const auto example = in_quotes(choices.front().first);
  return text_format<T>(std::move(expected), example,
                        [choices = std::move(choices)](const std::string& text) -> std::optional<T> {
                          const auto choice =
                              std::ranges::find(choices, text, &std::pair<std::string, T>::first);
                          return choice == choices.end() ? std::nullopt : std::optional(choice->second);
                        });
}

format<endpoint> listen_endpoint() {
  return text_format<endpoint>("an IP address and a port", "\"127.0.0.1:8080\"", parse_endpoint);
}

format<std::vector<std::string>> host_names() {
  return list_format("a domain in lower case", "[\"host-one.example\"]", is_host_name);
}

void add_listeners(std::vector<rule<settings>>& rules) {
  using part = server_settings;
  section_rules server(rules, "server", &settings::server);
  server.add("listen", &part::listen, listen_endpoint(), "address and port for platforms and browsers");
  server.add("base_url", &part::base_url,
             text_format<std::string>("an http or https URL", "\"https://roost.example\"", parse_base_url),
             "the public URL of this server");
  server.add("tls_certificate", &part::tls_certificate, optional_path(),
             "PEM file; with tls_key the listener serves HTTPS only");
  server.add("tls_key", &part::tls_key, optional_path(), "PEM file; the private key of tls_certificate");
  server.add("io_threads", &part::io_threads, integer_format<unsigned>(0, max_threads),
             "threads that serve connections; 0: based on the number of cores");
  server.add("trusted_proxies", &part::trusted_proxies,
             list_format("an IP address or a network", "[\"10.0.0.0/8\"]", is_network),
             "proxies whose X-Forwarded-For or Forwarded header is trusted");
  server.add("max_in_flight", &part::max_in_flight, count_from<std::size_t>(1),
             "concurrent requests; one platform may have as many as are left");
  server.add("max_waiting", &part::max_waiting, count_from<std::size_t>(1),
             "concurrent requests that wait for a change; shared by platforms like max_in_flight");
  server.add("max_bodies_per_platform", &part::max_bodies_per_platform, count_from<std::size_t>(1),
             "requests of one platform whose body is still being received");
  server.add("max_bodies_per_address", &part::max_bodies_per_address, count_from<std::size_t>(1),
             "requests of one client whose body is still being received");
  server.add("max_connections", &part::max_connections, count_from<std::size_t>(1),
             "open connections, including idle ones");
  server.add("header_timeout", &part::header_timeout, at_least(1ms),
             "time limit for receiving a request's header");
  server.add("body_timeout", &part::body_timeout, at_least(1ms), "time limit for receiving a request's body");
  server.add("idle_timeout", &part::idle_timeout, at_least(1ms),
             "time limit between two requests on a connection");
  server.add("drain_timeout", &part::drain_timeout, at_least(0ms),
             "time limit for running requests at shutdown");

  section_rules ops(rules, "ops", &settings::ops);
  ops.add("listen", &ops_settings::listen, listen_endpoint(),
          "address and port for /metrics, /healthz and /readyz");
  ops.add(
      "hosts", &ops_settings::hosts,
      list_format("a domain in lower case without a port", "[\"host-one.example\"]", is_internal_host_name),
      "host names that requests may use, next to addresses");
}

void add_storage(std::vector<rule<settings>>& rules) {
  section_rules store(rules, "store", &settings::store);
  store.add("url", &store_settings::url, store_url(), "the database");
  store.add("sessions", &store_settings::sessions, integer_format<unsigned>(1, max_threads),
            "database connections");

  section_rules secrets(rules, "secrets", &settings::secrets);
  secrets.add("file", &secrets_settings::file,
              valid_text<std::filesystem::path>("a path", "\"var/file\"", is_not_empty),
              "the service's own keys; created on the first start");
}

/// Rejects retention times below a day: erasure is final, and `1m` may be intended as a month.
format<std::chrono::milliseconds> guest_retention() {
  const auto any = at_least(0ms);
  const auto read = [any = any.read](const toml::node& node) {
    const auto keep = any(node);
    if (keep > 0ms && keep < 24h)
      throw refusal{shown(node) +
                    " is too short: at least \"1d\" (m means minutes), or \"0s\" to keep data forever"};
    return keep;
  };
  return {read};
}

void add_background_work(std::vector<rule<settings>>& rules) {
  section_rules bookings(rules, "bookings", &settings::bookings);
  bookings.add("cycle", &bookings_settings::cycle, at_least(1ms),
               "interval between two runs of the booking queue");

  section_rules feeds(rules, "feeds", &settings::feeds);
  feeds.add("rebuild", &feeds_settings::rebuild, at_least(min_rebuild),
            "interval between two builds of the lists");

  section_rules changes(rules, "changes", &settings::changes);
  changes.add("keep", &changes_settings::keep, at_least(1min), "retention of the stream of changes");

  section_rules privacy(rules, "privacy", &settings::privacy);
  privacy.add("keep", &privacy_settings::keep, guest_retention(),
              "retention of guests' data after their last stay, at least 1d; 0s: forever");

  section_rules mail(rules, "mail", &settings::mail);
  auto transport = text_format<mail_transport>(
      "a mail transport", "\"file:var/outbox\", \"smtp://host:587\" or \"smtps://user:password@host:465\"",
      parse_transport);
  transport.secret = true; // it may contain a password
  mail.add("transport", &mail_settings::transport, transport, "a folder or an SMTP server");
  mail.add("from", &mail_settings::from,
           valid_text("a mail address", "\"no-reply@roost.example\" or \"Roost <no-reply@roost.example>\"",
                      is_sender),
           "sender of all mail: an address, or a name and an address");
  mail.add("starttls", &mail_settings::opportunistic_tls,
           one_of<bool>("a use of STARTTLS (required or opportunistic)",
                        {{"required", false}, {"opportunistic", true}}),
           "smtp:// to another host: required, or opportunistic to allow mail in plain text");
  mail.add("refusals", &mail_settings::gathers_refusals,
           one_of<bool>("a refusal mode (each or hourly)", {{"each", false}, {"hourly", true}}),
           "each: one mail per refusal; hourly: one mail per hour and account");
  mail.add("keep", &mail_settings::keep, at_least(1h), "retention of mail that was sent or given up");
}

void add_sign_in(std::vector<rule<settings>>& rules) {
  using part = sessions_settings;
  section_rules sessions(rules, "sessions", &settings::sessions);
  sessions.add("access_token", &part::access_token, at_least(1s),
               "lifetime of access tokens, including the connector's");
  sessions.add("session", &part::session, at_least(1s), "lifetime of a session from the sign-in");
  sessions.add("refresh_grace", &part::refresh_grace, at_least(0ms),
               "how long reuse of a replaced refresh cookie counts as a retry");
  sessions.add("remembered_browser", &part::remembered_browser, at_least(1s),
               "how long a browser may skip the emailed code");
  sessions.add("code", &part::code, at_least(1s), "lifetime of an emailed code");
  sessions.add("password_reset", &part::password_reset, at_least(1s), "lifetime of a password reset link");
  sessions.add("code_tries", &part::code_tries, count_from(1), "attempts per emailed code");
  sessions.add("code_resends", &part::code_resends, count_from(0), "additional codes per sign-in");
  sessions.add("codes_per_15m", &part::codes_per_15m, count_from(1), "codes per user in 15 minutes");
  sessions.add("wrong_passwords_per_15m", &part::wrong_passwords_per_15m, count_from(1),
               "wrong passwords per email address in 15 minutes");
  sessions.add("hashing_threads", &part::hashing_threads, integer_format<unsigned>(0, max_threads),
               "threads that check passwords; 0: based on the number of cores");
  sessions.add("hashing_queue", &part::hashing_queue, count_from(1),
               "password checks that may wait for a thread");
  sessions.add("password_memory", &part::password_memory,
               integer_format<std::uint32_t>(min_password_memory, max_password_memory),
               "argon2id: memory per password in KiB");
  sessions.add("password_passes", &part::password_passes,
               integer_format<std::uint32_t>(1, max_password_passes), "argon2id: passes over the memory");
  sessions.add("password_lanes", &part::password_lanes, integer_format<std::uint32_t>(1, max_password_lanes),
               "argon2id: lanes per password");
  sessions.add("identity_jwks", &part::identity_jwks,
               valid_text("a file or an https URL", "\"https://identity.example/keys.json\"",
                          [](const std::string& text) {
                            return text.find("://") == std::string::npos || is_https_url(text);
                          }),
               "third-party sign-in: file or https URL of the issuer's keys");
  sessions.add("identity_issuer", &part::identity_issuer, any_text(), "third-party sign-in: the issuer");
  sessions.add("identity_audience", &part::identity_audience, any_text(),
               "third-party sign-in: our audience name");
}

void add_connector(std::vector<rule<settings>>& rules) {
  using part = connector_settings;
  section_rules connector(rules, "connector", &settings::connector);
  connector.add("callbacks", &part::callbacks,
                list_format("an https URL in ASCII without dot segments and encoded slashes",
                            "[\"https://assistant.example/callback\"]", is_exact_https_url),
                "exact URLs to which an assistant may be redirected");
  connector.add("prefixes", &part::prefixes,
                list_format("the beginning of an https URL in ASCII, at least to the slash after the host",
                            "[\"https://assistant.example/callbacks/\"]", is_exact_https_prefix),
                "prefixes of such URLs");
  connector.add("tool_server", &part::tool_server,
                valid_text("an http or https URL in ASCII without dot segments and encoded slashes",
                           "\"https://tools.roost.example/mcp\"", is_exact_url),
                "the tool server that the tokens are for");
  connector.add("client_documents", &part::client_documents,
                list_format("a domain in lower case, with its port unless it is 443, or \"*\"",
                            "[\"host-one.example\", \"host-two.example:8443\"]", is_web_host_or_any),
                "hosts whose client ID metadata documents are accepted; \"*\": any; empty: none");
  connector.add("client_documents_ca", &part::client_documents_ca, optional_path(),
                "PEM file of trusted CAs for these hosts; empty: the system's");
  connector.add("client_document_addresses", &part::client_documents_anywhere,
                one_of<bool>("a kind of address (public or any)", {{"public", false}, {"any", true}}),
                "public, or any to allow hosts in private networks");
  connector.add(
      "signing", &part::signing,
      one_of<connector_signing>("a signing algorithm (hs256 or es256)",
                                {{"hs256", connector_signing::hs256}, {"es256", connector_signing::es256}}),
      "hs256, or es256 with public keys at /oauth/jwks");
  connector.add("refresh_grace", &part::refresh_grace, at_least(0ms),
                "how long reuse of a replaced refresh token counts as a retry; 0s: never");
  connector.add("max_clients", &part::max_clients, count_from(1), "registered clients in total");
  connector.add("consent_form", &part::consent_form, at_least(1s), "lifetime of an open consent form");
  connector.add("code", &part::code, at_least(1s), "lifetime of an authorization code");
  connector.add("refresh_token", &part::refresh_token, at_least(1s), "lifetime of an unused refresh token");
}

void add_calendars(std::vector<rule<settings>>& rules) {
  using part = calendar_settings;
  section_rules calendars(rules, "calendars", &settings::calendars);
  calendars.add("every", &part::every, at_least(60s),
                "time between two fetches of an imported calendar, unless it says otherwise");
  calendars.add("ca_file", &part::ca_file, optional_path(),
                "PEM file of trusted CAs for the calendars' hosts; empty: the system's");
  calendars.add("allow_private", &part::allow_private,
                one_of<bool>("a switch (on or off)", {{"on", true}, {"off", false}}),
                "off, or on to allow hosts in private networks");
}

void add_rate_limits(std::vector<rule<settings>>& rules) {
  using part = rate_limit_settings;
  section_rules limits(rules, "rate_limits", &settings::rate_limits);
  const auto add = [&](std::string_view key, unsigned part::*member, std::string_view help) {
    limits.add(key, member, count_from(0), help);
  };
  add("login", &part::login, "sign-ins per minute and client address, as all limits here; 0: unlimited");
  add("verify_otp", &part::verify_otp, "submitted codes");
  add("resend_otp", &part::resend_otp, "resent codes");
  add("logout", &part::logout, "sign-outs");
  add("refresh", &part::refresh, "access token refreshes");
  add("management", &part::management, "all other management routes");
  add("discovery", &part::discovery, "requests for the connector's metadata");
  add("register", &part::registration, "client registrations of the connector");
  add("authorize", &part::authorize, "opened consent forms");
  add("decision", &part::decision, "submitted consent forms");
  add("token", &part::token, "requests to the connector's token endpoint");
}

void add_scheduler(std::vector<rule<settings>>& rules) {
  using part = scheduler_settings;
  section_rules scheduler(rules, "scheduler", &settings::scheduler);
  const auto add = [&](std::string_view key, std::size_t part::*member, std::string_view help) {
    scheduler.add(key, member, count_from<std::size_t>(1), help);
  };
  const auto min_sleep = std::chrono::nanoseconds(1us);
  scheduler.add("policy", &part::policy,
                one_of<scheduler_policy>("a scheduler (asio, stealing or sharing)",
                                         {{"asio", scheduler_policy::asio},
                                          {"stealing", scheduler_policy::stealing},
                                          {"sharing", scheduler_policy::sharing}}),
                "asio, stealing or sharing");
  scheduler.add("max_threads", &part::max_threads, integer_format<std::size_t>(0, max_threads),
                "stealing, sharing: worker threads; 0: based on the number of cores");
  scheduler.add("max_throughput", &part::max_throughput, count_from<std::size_t>(0),
                "messages per run of an actor; 0: unlimited (asio: its maximum, 64)");
  add("aggressive_poll_attempts", &part::aggressive_poll_attempts,
      "stealing: polls for work without sleeping");
  add("aggressive_steal_interval", &part::aggressive_steal_interval,
      "stealing: such polls per steal attempt");
  add("moderate_poll_attempts", &part::moderate_poll_attempts, "stealing: polls for work with short sleeps");
  add("moderate_steal_interval", &part::moderate_steal_interval, "stealing: such polls per steal attempt");
  scheduler.add("moderate_sleep_duration", &part::moderate_sleep_duration, duration_format(min_sleep),
                "stealing: length of a short sleep");
  add("relaxed_steal_interval", &part::relaxed_steal_interval,
      "stealing: polls with long sleeps per steal attempt");
  scheduler.add("relaxed_sleep_duration", &part::relaxed_sleep_duration, duration_format(min_sleep),
                "stealing: length of a long sleep");
  scheduler.add("slow_run", &part::slow_run, duration_format(std::chrono::nanoseconds(0)),
                "log runs of actors that take at least this long; 0s: never");
}

void add_watching(std::vector<rule<settings>>& rules) {
  section_rules log(rules, "log", &settings::log);
  log.add("level", &log_settings::level,
          one_of<log::level>("a level (debug, info, warn or error)", {{"info", log::level::info},
                                                                      {"debug", log::level::debug},
                                                                      {"warn", log::level::warn},
                                                                      {"error", log::level::error}}),
          "lowest level that is logged");
  log.add("format", &log_settings::format,
          one_of<log::format>("a format (text or json)",
                              {{"text", log::format::text}, {"json", log::format::json}}),
          "format of a log line: text, or a JSON object");

  section_rules metrics(rules, "metrics", &settings::metrics);
  metrics.add("actors", &metrics_settings::actors,
              one_of<bool>("a switch (on or off)", {{"on", true}, {"off", false}}),
              "on: measure the runs of actors");
}

} // namespace

const std::vector<rule<settings>>& setting_rules() {
  static const auto rules = [] {
    std::vector<rule<settings>> all;
    for (const auto add : {add_listeners, add_storage, add_background_work, add_sign_in, add_connector,
                           add_calendars, add_rate_limits, add_scheduler, add_watching})
      add(all);
    return all;
  }();
  return rules;
}

const std::vector<rule<domain::platform>>& platform_rules() {
  using entry = domain::platform;
  constexpr auto section = platforms_section;
  static const std::vector<rule<entry>> rules = {
      entry_rule(section, "name", true, &entry::name,
                 valid_text("a name of lower-case letters, digits and dashes", "\"marketplace-a\"",
                            is_platform_name),
                 "its name in messages and portfolio files"),
      entry_rule(section, "kind", true, &entry::kind, platform_kind(), "its partner interface"),
      entry_rule(section, "prefix", true, &entry::prefix, route_prefix(),
                 "the first path segment of its routes"),
      entry_rule(section, "domains", false, &entry::domains, host_names(),
                 "domains to which its links may point"),
      entry_rule(section, "regions", false, &entry::regions,
                 list_format("a city", "[\"Madrid\"]", is_not_empty), "marketplace-d: accepted cities"),
      entry_rule(section, "account", false, &entry::account, account_id(),
                 "single-landlord: the account whose units it shows"),
      entry_rule(section, "may", false, &entry::may, platform_rights(),
                 "what it may do beyond submitting bookings: cancel, change, hold"),
  };
  return rules;
}

const std::vector<rule<domain::short_term_host>>& short_term_host_rules() {
  using entry = domain::short_term_host;
  constexpr auto section = short_term_hosts_section;
  static const std::vector<rule<entry>> rules = {
      entry_rule(section, "name", true, &entry::name,
                 valid_text("a text of at least one character", "\"some text\"", is_not_empty),
                 "name of the host"),
      entry_rule(section, "match", true, &entry::match, host_names(), "domains that identify the host"),
      entry_rule(section, "agents", false, &entry::agents,
                 list_format("a product's name without a version", "[\"HostOne-Importer\"]", is_product_name),
                 "product names in its User-Agents, without versions"),
  };
  return rules;
}

} // namespace roost::config
