#pragma once

#include "http/protocol/settings.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace roost::http {

/// What new connections are opened with. Those that are open keep theirs.
struct tls_identity {
  std::shared_ptr<boost::asio::ssl::context> context;
  certificate_facts certificate;
};

/// A server's TLS: 1.2 and up, ALPN http/1.1, sessions that may be resumed. Throws std::runtime_error with
/// one line when a file cannot be read or the key is not the certificate's.
tls_identity load_tls(const std::string& certificate_file, const std::string& key_file);

} // namespace roost::http
