#include "http/protocol/tls.hpp"

#include <openssl/ssl.h>

#include <memory>
#include <stdexcept>
#include <string_view>

namespace roost::http {
namespace {

namespace ssl = boost::asio::ssl;

/// Chooses http/1.1 where the client offers it; a client that only speaks something else is told so at once
/// (RFC 7301, 3.2).
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned offered_size, void*) {
  static constexpr unsigned char ours[] = "\x08http/1.1";
  unsigned char* match = nullptr;
  if (SSL_select_next_proto(&match, chosen_size, ours, sizeof ours - 1, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

void load(ssl::context& context, const std::string& certificate_file, const std::string& key_file) {
  boost::system::error_code failure;
  // OpenSSL itself would ask for the password on the terminal.
  const auto has_password = std::make_shared<bool>(false);
  context.set_password_callback([has_password](std::size_t, ssl::context::password_purpose) {
    *has_password = true;
    return std::string();
  });
  context.use_certificate_chain_file(certificate_file, failure);
  if (failure)
    throw std::runtime_error("cannot use the TLS certificate " + certificate_file + ": " + failure.message());
  context.use_private_key_file(key_file, ssl::context::pem, failure);
  if (*has_password)
    throw std::runtime_error("the TLS key " + key_file +
                             " has a password, and nobody could give it at a start: write one without, for "
                             "example by openssl pkey -in " +
                             key_file + " -out NEW_FILE, with mode 0600");
  if (failure) throw std::runtime_error("cannot use the TLS key " + key_file + ": " + failure.message());
  if (SSL_CTX_check_private_key(context.native_handle()) != 1)
    throw std::runtime_error("the TLS key " + key_file + " does not belong to the certificate " +
                             certificate_file);
}

} // namespace

ssl::context make_tls_context(const std::string& certificate_file, const std::string& key_file) {
  ssl::context context(ssl::context::tls_server);
  SSL_CTX* const native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native,
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Idle connections then hold no record buffers: 34 KB each.
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  // Without a context id OpenSSL refuses to resume sessions of clients that were asked for nothing else.
  static constexpr std::string_view session_context = "roost";
  SSL_CTX_set_session_id_context(native, reinterpret_cast<const unsigned char*>(session_context.data()),
                                 static_cast<unsigned>(session_context.size()));
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_SERVER);
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  load(context, certificate_file, key_file);
  return context;
}

} // namespace roost::http
