#include "cli/doctor.hpp"

#include "actors/sessions/identity_keys.hpp"
#include "cli/commands.hpp"
#include "fetch/https_get.hpp"
#include "http/protocol/tls.hpp"
#include "oauth/web_address.hpp"
#include "service/expiries.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace roost::cli {

namespace {

/// Ends the text with a full stop, so that the advice can follow.
std::string as_sentence(const std::string& finding) {
  const bool has_end =
      !finding.empty() && std::string_view(".?!").find(finding.back()) != std::string_view::npos;
  return has_end ? finding : finding + ".";
}

using namespace std::chrono_literals;

constexpr rlim_t other_descriptors = 200; // store sessions, files, the operations listener
constexpr std::chrono::seconds mail_server_timeout{5};

/// Whether a certificate with these comma-separated names covers the host.
bool covers(const std::string& names, std::string host) {
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; }); // of an IPv6 address
  const auto wildcard = "*" + host.substr(std::min(host.find('.'), host.size()));
  const auto padded = "," + names + ",";
  return padded.find("," + host + ",") != std::string::npos ||
         padded.find("," + wildcard + ",") != std::string::npos;
}

void examine_lifetime(findings& results, const http::certificate_facts& certificate) {
  const auto now = std::chrono::system_clock::now();
  const auto until = domain::to_string(certificate.until);
  if (certificate.until <= now)
    results.fail(certificate.file + " expired at " + until, "Renew it, then send SIGHUP");
  else if (certificate.from > now)
    results.fail(certificate.file + " is not valid before " + domain::to_string(certificate.from),
                 "Check this machine's clock and the certificate");
  else if (certificate.until - now < expiries::warning_period)
    results.warn(certificate.file + " expires at " + until, "Renew it, then send SIGHUP");
  else
    results.ok(certificate.file + " is valid until " + until);
}

void examine_certificate(findings& results, const config::settings& settings) {
  if (settings.server.tls_certificate.empty()) return;
  try {
    const auto certificate =
        http::load_tls(settings.server.tls_certificate.string(), settings.server.tls_key.string())
            .certificate;
    examine_lifetime(results, certificate);
    const auto base = oauth::parse_web_address(settings.server.base_url);
    if (base && base->scheme == "https" && !covers(certificate.names, base->host))
      results.warn(certificate.file + " is for " + certificate.names + ", but server.base_url names " +
                       base->host,
                   "Issue it for that host, too, unless a proxy in front of the server terminates TLS");
  } catch (const std::exception& error) {
    results.fail(error.what(), "The server does not start with it");
  }
}

void examine_limits(findings& results, const config::settings& settings) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t required = settings.server.max_connections + other_descriptors;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < required)
    results.warn("a process may open " + std::to_string(limit.rlim_max) +
                     " files, but server.max_connections is " +
                     std::to_string(settings.server.max_connections),
                 "Raise LimitNOFILE or `ulimit -n`, or lower server.max_connections");
  else
    results.ok("enough open files for server.max_connections");
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "::1" || host == "[::1]";
}

/// Whether the address is public or a wildcard.
bool is_public(const std::string& address) {
  boost::system::error_code failure;
  const boost::asio::ip::tcp::endpoint endpoint{boost::asio::ip::make_address(address, failure), 0};
  return !failure && (endpoint.address().is_unspecified() ||
                      fetch::is_public_address(endpoint.data(), static_cast<socklen_t>(endpoint.size())));
}

void examine_ops_listener(findings& results, const config::settings& settings) {
  if (!is_public(settings.ops.listen.address)) return;
  results.warn(
      "the operations listener is reachable at " + to_string(settings.ops.listen),
      "It has no authentication: set ops.listen to an address that only your monitoring reaches, or let a "
      "firewall do so");
}

void examine_scheme(findings& results, const config::settings& settings) {
  const auto& server = settings.server;
  if (!server.base_url.starts_with("http:")) return;
  const std::string consequence = ": otherwise cookies are not Secure, browsers' forms get 403, and there is "
                                  "no Strict-Transport-Security";
  if (!server.trusted_proxies.empty())
    results.warn("server.base_url is " + server.base_url + " behind the proxies of server.trusted_proxies",
                 "Set it to the https URL of the proxy" + consequence);
  else if (!server.tls_certificate.empty())
    results.warn("server.base_url is " + server.base_url + " with server.tls_certificate",
                 "Set it to the https URL" + consequence);
}

void examine_addresses(findings& results, const config::settings& settings) {
  examine_ops_listener(results, settings);
  examine_scheme(results, settings);
  if (is_loopback(settings.server.listen.address)) return;
  if (settings.server.tls_certificate.empty() && settings.server.trusted_proxies.empty())
    results.warn("it listens on " + to_string(settings.server.listen) + " without TLS and without a proxy",
                 "Set server.tls_certificate and server.tls_key, or use a proxy and list it in "
                 "server.trusted_proxies");
  const auto base = oauth::parse_web_address(settings.server.base_url);
  if (base && is_loopback(base->host))
    results.warn("server.base_url is " + settings.server.base_url,
                 "Set it to the public address: mails, documents and pages link to it");
}

/// Returns why no connection is possible; empty if it is.
std::string connection_error(std::string host, std::uint16_t port) {
  namespace asio = boost::asio;
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; });
  asio::io_context io;
  asio::ip::tcp::resolver names(io);
  asio::ip::tcp::socket socket(io);
  std::string result = "no response within " + std::to_string(mail_server_timeout.count()) + " s";
  names.async_resolve(
      host, std::to_string(port), [&](const boost::system::error_code& unknown, const auto& endpoints) {
        if (unknown) {
          result = unknown.message();
          return;
        }
        asio::async_connect(socket, endpoints, [&](const boost::system::error_code& refused, const auto&) {
          result = refused ? refused.message() : std::string{};
        });
      });
  io.run_for(mail_server_timeout);
  return result;
}

/// Returns the folder, or its nearest existing ancestor.
std::filesystem::path existing_folder(std::filesystem::path folder) {
  std::error_code ignored;
  while (!folder.empty() && !std::filesystem::exists(folder, ignored)) folder = folder.parent_path();
  return folder.empty() ? "." : folder;
}

/// Reports mail that may be sent in plain text to another host. With a password it never is.
void examine_mail_tls(findings& results, const config::mail_settings& mail) {
  const auto& transport = mail.transport;
  if (mail.opportunistic_tls && transport.kind == config::mail_transport::protocol::smtp &&
      transport.user.empty() && !is_loopback(transport.host))
    results.warn("mail.starttls is opportunistic, so mail to " + transport.host +
                     " may be read and changed on the way",
                 "Set it to required if the server offers STARTTLS with a valid certificate: mails contain "
                 "sign-in codes and links to new passwords");
}

void examine_mail_transport(findings& results, const config::settings& settings) {
  const auto& transport = settings.mail.transport;
  examine_mail_tls(results, settings.mail);
  if (transport.kind != config::mail_transport::protocol::file) {
    const auto server = transport.host + ":" + std::to_string(transport.port);
    if (const auto error = connection_error(transport.host, transport.port); !error.empty())
      results.fail(
          server + " cannot be reached: " + error,
          "Check mail.transport, the server and firewalls. Until then, mail waits for up to three days");
    else
      results.ok(server + " can be reached; `roost mail test ADDRESS` sends a test message");
    return;
  }
  const auto folder = std::filesystem::absolute(transport.folder);
  if (::access(existing_folder(folder).c_str(), W_OK) != 0)
    results.fail("the folder " + folder.string() + " is not writable",
                 "Run `roost doctor` as the server's user, or make that user the folder's owner");
  results.warn("it is written to the folder " + folder.string() + " and sent to no one",
               "Set mail.transport to an SMTP server, unless this is intended");
}

void examine_identity_keys(findings& results, const config::settings& settings) {
  const auto& source = settings.sessions.identity_jwks;
  if (source.empty()) return;
  if (const auto fault = actors::key_source_error(actors::key_source_at(source)))
    results.fail("sessions.identity_jwks: " + *fault,
                 "Correct the setting or the file, and run `roost doctor` as the server's user. Until then, "
                 "third-party sign-in fails");
  else
    results.ok("the keys of sessions.identity_jwks can be read");
}

bool is_group_readable(const std::filesystem::path& file) {
  std::error_code error;
  const auto mode = std::filesystem::status(file, error).permissions();
  return !error && (mode & std::filesystem::perms::group_read) != std::filesystem::perms::none;
}

/// Checks secrets.file. Returns its content, or nullopt if it cannot be read.
std::optional<security::secrets> examine_secrets(findings& results, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  results.start("secrets");
  try {
    auto secrets = security::secrets::load(file);
    if (secrets)
      results.ok(file.string() + " is readable only by its owner" +
                 (is_group_readable(file) ? " and group" : ""));
    else
      results.warn("there is no " + std::filesystem::absolute(file).string(),
                   "The server creates it when it first starts with a new store");
    return secrets;
  } catch (const std::exception& error) {
    results.fail(error.what(), "The server does not start with it");
    return std::nullopt;
  }
}

} // namespace

void findings::fail(const std::string& finding, const std::string& advice) {
  add("wrong", finding, advice);
  is_well_ = false;
}

void findings::examine(const std::string& subject, const std::function<void()>& part) {
  start(subject);
  try {
    part();
  } catch (const std::exception& error) {
    fail(std::string("the check failed: ") + error.what(), "Fix this, then run `roost doctor` again");
  }
}

void findings::add(const std::string& state, const std::string& finding, const std::string& advice) {
  list_.add({padded_cell(state, 7), padded_cell(subject_, 13),
             cell_as(finding, advice.empty() ? finding : as_sentence(finding)), cell(advice)});
}

int run_doctor(const arguments& args) {
  findings results(args.format);
  results.start("configuration");
  try {
    const auto configuration = load_configuration(args);
    results.ok("it is valid; `roost config` prints it");
    for (const auto& [key, reason] : configuration.idle)
      results.warn(std::string(key).append(" has no effect: ").append(reason), "Remove it");
    const auto& settings = configuration.values;
    results.examine("server", [&] { examine_addresses(results, settings); });
    results.examine("certificate", [&] { examine_certificate(results, settings); });
    results.examine("limits", [&] { examine_limits(results, settings); });
    results.examine("mail", [&] { examine_mail_transport(results, settings); });
    results.examine("identity", [&] { examine_identity_keys(results, settings); });
    examine_store(results, settings, examine_secrets(results, settings));
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems())
      results.fail(config::to_string(problem), "Correct it at the place that the finding names");
  }
  return results.is_well() ? 0 : 1;
}

} // namespace roost::cli
