#pragma once

#include <boost/asio/ssl/context.hpp>

#include <string>

namespace roost::http {

/// A server's TLS: 1.2 and up, ALPN http/1.1, sessions that may be resumed. Throws std::runtime_error with
/// one line when a file cannot be read or the key is not the certificate's.
boost::asio::ssl::context make_tls_context(const std::string& certificate_file, const std::string& key_file);

} // namespace roost::http
