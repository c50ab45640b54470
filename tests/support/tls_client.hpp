#pragma once

#include "support/raw_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace roost::testing {

/// A blocking TLS client that trusts one certificate and offers configurable versions and protocols.
struct tls_client {
  tls_client(std::uint16_t port, const std::string& trusted_certificate_file)
      : context(boost::asio::ssl::context::tls_client), port(port) {
    context.set_verify_mode(boost::asio::ssl::verify_peer);
    context.load_verify_file(trusted_certificate_file);
  }

  /// Offers only this TLS version, even an obsolete one.
  void offer_version(int version) {
    SSL_CTX_set_security_level(context.native_handle(), 0);
    SSL_CTX_set_min_proto_version(context.native_handle(), version);
    SSL_CTX_set_max_proto_version(context.native_handle(), version);
  }

  /// Offers only these ciphers of TLS 1.2, in OpenSSL's notation. Throws std::invalid_argument if there are
  /// none.
  void offer_ciphers(const std::string& list) {
    if (SSL_CTX_set_cipher_list(context.native_handle(), list.c_str()) != 1)
      throw std::invalid_argument(list);
  }

  /// Offers protocols (RFC 7301), each preceded by its length: `"\x02h2\x08http/1.1"`.
  void offer_protocols(const std::string& list) {
    SSL_CTX_set_alpn_protos(context.native_handle(), reinterpret_cast<const unsigned char*>(list.data()),
                            static_cast<unsigned>(list.size()));
  }

  /// Throws boost::system::system_error when the handshake fails.
  void connect(SSL_SESSION* session = nullptr) {
    stream.emplace(io, context);
    if (session != nullptr) SSL_set_session(stream->native_handle(), session);
    stream->next_layer().connect({boost::asio::ip::address_v4::loopback(), port});
    stream->handshake(boost::asio::ssl::stream_base::client);
  }

  /// Returns the protocol selected by the server; empty if none.
  std::string chosen_protocol() {
    const unsigned char* chosen = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(stream->native_handle(), &chosen, &size);
    return {reinterpret_cast<const char*>(chosen), size};
  }

  raw_response exchange(const std::string& request) {
    boost::asio::write(*stream, boost::asio::buffer(request));
    std::string text;
    char chunk[16384];
    while (true) {
      if (auto parsed = take_response(text)) return *parsed;
      text.append(chunk, stream->read_some(boost::asio::buffer(chunk)));
    }
  }

  boost::asio::io_context io;
  boost::asio::ssl::context context;
  std::uint16_t port;
  std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket>> stream;
};

} // namespace roost::testing
