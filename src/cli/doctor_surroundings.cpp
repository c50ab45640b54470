#include "actors/sessions/identity_keys.hpp"
#include "cli/doctor_examinations.hpp"
#include "domain/web_address.hpp"
#include "http/protocol/tls.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <sys/resource.h>
#include <unistd.h>

namespace roost::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::uintmax_t little_space = std::uintmax_t{1} << 30;
constexpr rlim_t descriptors_beside_connections = 200; // stores' sessions, files, the operator's listener
constexpr std::chrono::seconds mail_server_patience{5};

std::string in_gib(std::uintmax_t bytes) {
  const auto tenths = bytes * 10 / (std::uintmax_t{1} << 30);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

/// Whether a certificate for these names, with commas between them, is one for the host.
bool covers(const std::string& names, std::string host) {
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; }); // of an IPv6 address
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
  else if (certificate.until - now < ends_soon)
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

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "::1" || host == "[::1]";
}

void examine_addresses(findings& found, const config::settings& settings) {
  if (is_loopback(settings.server.listen.address)) return;
  if (settings.server.tls_certificate.empty() && settings.server.trusted_proxies.empty())
    found.warn(
        "server", "it listens at " + to_string(settings.server.listen) + " without TLS and without a proxy",
        "Set server.tls_certificate and tls_key, or put a proxy in front and name it in trusted_proxies");
  const auto base = domain::parse_web_address(settings.server.base_url);
  if (base && is_loopback(base->host))
    found.warn("server", "server.base_url is " + settings.server.base_url,
               "Set it to the address that others use: mails, documents and pages name it");
}

/// Why nobody listens there; empty: somebody does.
std::string why_unreachable(std::string host, std::uint16_t port) {
  namespace asio = boost::asio;
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; });
  asio::io_context io;
  asio::ip::tcp::resolver names(io);
  asio::ip::tcp::socket socket(io);
  std::string why = "no answer within " + std::to_string(mail_server_patience.count()) + " s";
  names.async_resolve(
      host, std::to_string(port), [&](const boost::system::error_code& unknown, const auto& found) {
        if (unknown) {
          why = unknown.message();
          return;
        }
        asio::async_connect(socket, found, [&](const boost::system::error_code& refused, const auto&) {
          why = refused ? refused.message() : std::string{};
        });
      });
  io.run_for(mail_server_patience);
  return why;
}

/// The folder, or the nearest one above it that is there.
std::filesystem::path existing_folder(std::filesystem::path folder) {
  std::error_code unknown;
  while (!folder.empty() && !std::filesystem::exists(folder, unknown)) folder = folder.parent_path();
  return folder.empty() ? "." : folder;
}

void examine_mail_transport(findings& found, const config::settings& settings) {
  const auto& transport = settings.mail.transport;
  if (transport.by != config::mail_transport::protocol::file) {
    const auto server = transport.host + ":" + std::to_string(transport.port);
    if (const auto why = why_unreachable(transport.host, transport.port); !why.empty())
      found.wrong("mail", server + " cannot be reached: " + why,
                  "See mail.transport, the server and firewalls. Mail waits meanwhile, for three days");
    else
      found.fine("mail", server + " can be reached; `roost mail test ADDRESS` sends one");
    return;
  }
  const auto folder = std::filesystem::absolute(transport.folder);
  if (::access(existing_folder(folder).c_str(), W_OK) != 0)
    found.wrong("mail", "the folder " + folder.string() + " cannot be written",
                "Run this as the server's user, or give the folder to it");
  found.warn("mail", "it is written to the folder " + folder.string() + ", and nobody gets it",
             "Set mail.transport to a server, unless that is meant");
}

void examine_identity_keys(findings& found, const config::settings& settings) {
  const auto& place = settings.sessions.identity_jwks;
  if (place.empty()) return;
  if (const auto fault = actors::fault_of(actors::key_source_at(place)))
    found.wrong(
        "identity", "sessions.identity_jwks: " + *fault,
        "Correct the key or the file, and run this as the server's user; nobody signs in by a third party "
        "meanwhile");
  else
    found.fine("identity", "the keys of sessions.identity_jwks can be read");
}

} // namespace

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

void examine_surroundings(findings& found, const config::settings& settings) {
  found.examine("server", [&] { examine_addresses(found, settings); });
  found.examine("certificate", [&] { examine_certificate(found, settings); });
  found.examine("limits", [&] { examine_limits(found, settings); });
  found.examine("mail", [&] { examine_mail_transport(found, settings); });
  found.examine("identity", [&] { examine_identity_keys(found, settings); });
}

std::optional<security::secrets> examine_secrets(findings& found, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  try {
    auto secrets = security::secrets::load(file);
    if (secrets)
      found.fine("secrets", file.string() + " can be read by its owner alone");
    else
      found.warn("secrets", "there is no " + std::filesystem::absolute(file).string(),
                 "The first start of a new store's server makes it");
    return secrets;
  } catch (const std::exception& failed) {
    found.wrong("secrets", failed.what(), "The server does not start with it");
    return std::nullopt;
  }
}

} // namespace roost::cli
