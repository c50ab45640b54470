#pragma once

#include "http/protocol/settings.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace roost::http {

/// The TLS configuration of new connections. Open connections keep theirs.
struct tls_identity {
  std::shared_ptr<boost::asio::ssl::context> context;
  certificate_facts certificate;
};

/// Loads the TLS configuration of a server: version 1.2 or later, ALPN http/1.1, resumable sessions. Throws
/// std::runtime_error with one line if a file cannot be read or the key does not match the certificate.
tls_identity load_tls(const std::string& certificate_file, const std::string& key_file);

} // namespace roost::http
