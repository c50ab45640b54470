#include "cli/doctor.hpp"

#include "actors/sessions/identity_keys.hpp"
#include "cli/commands.hpp"
#include "domain/web_address.hpp"
#include "http/protocol/tls.hpp"
#include "service/expiries.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string_view>
#include <sys/resource.h>
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
    const auto base = domain::parse_web_address(settings.server.base_url);
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

void examine_addresses(findings& results, const config::settings& settings) {
  if (is_loopback(settings.server.listen.address)) return;
  if (settings.server.tls_certificate.empty() && settings.server.trusted_proxies.empty())
    results.warn("it listens on " + to_string(settings.server.listen) + " without TLS and without a proxy",
                 "Set server.tls_certificate and server.tls_key, or use a proxy and list it in "
                 "server.trusted_proxies");
  const auto base = domain::parse_web_address(settings.server.base_url);
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

void examine_mail_transport(findings& results, const config::settings& settings) {
  const auto& transport = settings.mail.transport;
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

/// Checks secrets.file. Returns its content, or nullopt if it cannot be read.
std::optional<security::secrets> examine_secrets(findings& results, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  results.start("secrets");
  try {
    auto secrets = security::secrets::load(file);
    if (secrets)
      results.ok(file.string() + " is readable only by its owner");
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
