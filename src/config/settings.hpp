#pragma once

#include "domain/platform.hpp"
#include "domain/short_term_host.hpp"
#include "domain/sign_in_limits.hpp"
#include "log/log.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace roost::config {

/// An IP address and a port to listen on. Port 0 picks a free one.
struct endpoint {
  std::string address; ///< IPv4 or IPv6, without brackets
  std::uint16_t port = 0;

  bool operator==(const endpoint&) const = default;
};

/// `127.0.0.1:8080` or `[::1]:8080`.
std::string to_string(const endpoint& endpoint);

/// [server]: the public listener.
struct server_settings {
  endpoint listen;
  std::string base_url;                  ///< http or https, without a trailing slash
  std::filesystem::path tls_certificate; ///< PEM; empty together with tls_key: plain HTTP
  std::filesystem::path tls_key;
  unsigned io_threads = 0;                  ///< 0: based on the number of cores
  std::vector<std::string> trusted_proxies; ///< addresses or networks, `10.0.0.0/8`
  std::size_t max_in_flight = 0;
  std::size_t max_waiting = 0;
  std::size_t max_bodies_per_platform = 0;
  std::size_t max_bodies_per_address = 0;
  std::size_t max_connections = 0;
  std::chrono::milliseconds header_timeout{};
  std::chrono::milliseconds body_timeout{};
  std::chrono::milliseconds idle_timeout{};
  std::chrono::milliseconds drain_timeout{};
};

/// [ops]: the operations listener.
struct ops_settings {
  endpoint listen;
  std::vector<std::string> hosts; ///< names under which clients reach it
};

/// [store]
struct store_settings {
  std::string url; ///< `sqlite3://PATH` or `postgresql://…`; may contain a password
  unsigned sessions = 0;
};

/// [secrets]
struct secrets_settings {
  std::filesystem::path file;
};

/// [bookings]
struct bookings_settings {
  std::chrono::milliseconds cycle{};
};

/// [changes]
struct changes_settings {
  std::chrono::milliseconds keep{}; ///< retention of the stream of changes
};

/// [feeds]
struct feeds_settings {
  std::chrono::milliseconds rebuild{};
};

/// The mail transport: a folder or an SMTP server.
struct mail_transport {
  enum class protocol { file, smtp, smtps };

  protocol kind = protocol::file;
  std::filesystem::path folder; ///< only for file
  std::string host;             ///< this and the following: only for smtp and smtps; IPv6 in brackets
  std::uint16_t port = 0;
  std::string user; ///< empty: no authentication
  std::string password;

  bool operator==(const mail_transport&) const = default;
};

/// [mail]
struct mail_settings {
  mail_transport transport;
  std::string from;               ///< `address` or `Name <address>`
  bool opportunistic_tls = false; ///< "opportunistic", not "required"
  bool gathers_refusals = false;  ///< "hourly", not "each"
  std::chrono::milliseconds keep{};
};

/// [sessions]: lifetimes and limits of sign-ins.
struct sessions_settings : domain::sign_in_limits {
  std::chrono::milliseconds access_token{};
  std::chrono::milliseconds refresh_grace{};
  unsigned hashing_threads = 0; ///< 0: based on the number of cores
  unsigned hashing_queue = 0;
  std::uint32_t password_memory = 0; ///< KiB; an argon2id parameter like the next two
  std::uint32_t password_passes = 0;
  std::uint32_t password_lanes = 0;
  std::string identity_jwks; ///< a file or an https URL; empty together with the next two: disabled
  std::string identity_issuer;
  std::string identity_audience;
};

/// The algorithm that signs assistants' access tokens: with a shared secret, or with keys whose public half
/// is published.
enum class connector_signing { hs256, es256 };

/// [connector]: assistants that act on behalf of a landlord.
struct connector_settings {
  std::vector<std::string> callbacks; ///< exact https URLs
  std::vector<std::string> prefixes;  ///< of https URLs, at least up to the slash after the host
  std::string tool_server;
  std::vector<std::string> client_documents; ///< hosts whose client ID metadata documents are fetched
  std::filesystem::path client_documents_ca; ///< PEM file of trusted CAs for these hosts; empty: the system's
  bool client_documents_anywhere = false;    ///< whether the hosts may have private addresses
  connector_signing signing = connector_signing::hs256;
  std::chrono::milliseconds
      refresh_grace{}; ///< how long reuse of a replaced refresh token is a retry; 0: never
  unsigned max_clients = 0;
  std::chrono::milliseconds consent_form{};
  std::chrono::milliseconds code{};
  std::chrono::milliseconds refresh_token{};
};

/// [calendars]: calendars of other platforms that landlords import.
struct calendar_settings {
  std::chrono::milliseconds every{}; ///< between two fetches, unless a calendar says otherwise
  std::filesystem::path ca_file;     ///< PEM file of trusted CAs for their hosts; empty: the system's
  bool allow_private = false;        ///< whether the hosts may have private addresses
};

/// [rate_limits]: requests per minute and client address; 0: unlimited.
struct rate_limit_settings {
  unsigned login = 0;
  unsigned verify_otp = 0;
  unsigned resend_otp = 0;
  unsigned logout = 0;
  unsigned refresh = 0;
  unsigned management = 0;
  unsigned discovery = 0;
  unsigned registration = 0; ///< the key is `register`, a reserved word of C++
  unsigned authorize = 0;
  unsigned decision = 0;
  unsigned token = 0;
};

enum class scheduler_policy { asio, stealing, sharing };

/// [scheduler]: CAF's settings, and the monitoring of actors.
struct scheduler_settings {
  scheduler_policy policy = scheduler_policy::asio;
  std::chrono::nanoseconds slow_run{}; ///< runs that take at least this long are logged; 0: none
  std::size_t max_threads = 0;         ///< 0: based on the number of cores
  std::size_t max_throughput = 0;      ///< 0: unlimited; asio: 64, its maximum
  std::size_t aggressive_poll_attempts = 0;
  std::size_t aggressive_steal_interval = 0;
  std::size_t moderate_poll_attempts = 0;
  std::size_t moderate_steal_interval = 0;
  std::chrono::nanoseconds moderate_sleep_duration{};
  std::size_t relaxed_steal_interval = 0;
  std::chrono::nanoseconds relaxed_sleep_duration{};
};

/// [log]
struct log_settings {
  log::level level = log::level::info;
  log::format format = log::format::text;
};

/// [privacy]
struct privacy_settings {
  std::chrono::milliseconds
      keep{}; ///< retention of guests' data after their last stay, at least a day; 0: forever
};

/// [metrics]
struct metrics_settings {
  bool actors = true; ///< whether the runs of actors are measured
};

/// The complete, validated configuration.
struct settings {
  server_settings server;
  ops_settings ops;
  store_settings store;
  secrets_settings secrets;
  bookings_settings bookings;
  feeds_settings feeds;
  changes_settings changes;
  mail_settings mail;
  sessions_settings sessions;
  connector_settings connector;
  calendar_settings calendars;
  rate_limit_settings rate_limits;
  scheduler_settings scheduler;
  log_settings log;
  metrics_settings metrics;
  privacy_settings privacy;
  std::map<std::string, std::vector<std::string>> roles; ///< permissions by role; "*" grants all
  std::vector<domain::short_term_host> short_term_hosts;
  std::vector<domain::platform> platforms;
};

/// An effective setting.
struct effective_value {
  std::string key;
  std::string value;  ///< as TOML; passwords are masked
  std::string origin; ///< `default`, `config/my.toml:12`, `environment` or `--set`
  std::string help;
};

/// The settings below one header.
struct effective_section {
  std::string header; ///< `[server]`, `[[platforms]]`
  std::vector<effective_value> values;
};

/// A changed setting that has no effect in combination with the others.
struct idle_setting {
  std::string key; ///< `section.key`
  std::string reason;
};

/// A loaded configuration with what `roost config` prints about it.
struct loaded {
  settings values;
  std::vector<effective_section> sections;
  std::vector<idle_setting> idle;
};

} // namespace roost::config
