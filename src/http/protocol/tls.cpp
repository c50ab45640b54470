#include "http/protocol/tls.hpp"

#include "security/digest.hpp"

#include <boost/asio/ssl/error.hpp>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace roost::http {
namespace {

namespace ssl = boost::asio::ssl;

/// Chooses http/1.1 if the client offers it, or else refuses the connection with an alert (RFC 7301, 3.2).
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned offered_size, void*) {
  static constexpr unsigned char supported[] = "\x08http/1.1";
  unsigned char* match = nullptr;
  if (SSL_select_next_proto(&match, chosen_size, supported, sizeof supported - 1, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

/// Describes why a file could not be read: about its content OpenSSL reports only which decoder failed.
std::string describe_failure(const std::string& file, const char* expected,
                             const boost::system::error_code& failure) {
  errno = 0;
  if (!std::ifstream{file}) return std::generic_category().message(errno);
  return std::string{"it contains no "} + expected + " in PEM form (" + failure.message() + ")";
}

void load_files(ssl::context& context, const std::string& certificate_file, const std::string& key_file) {
  boost::system::error_code failure;
  // By default OpenSSL would prompt for the password on the terminal.
  const auto has_password = std::make_shared<bool>(false);
  context.set_password_callback([has_password](std::size_t, ssl::context::password_purpose) {
    *has_password = true;
    return std::string();
  });
  context.use_certificate_chain_file(certificate_file, failure);
  if (failure)
    throw std::runtime_error("cannot use the TLS certificate " + certificate_file + ": " +
                             describe_failure(certificate_file, "certificate", failure));
  context.use_private_key_file(key_file, ssl::context::pem, failure);
  if (*has_password)
    throw std::runtime_error("the TLS key " + key_file +
                             " has a password, which cannot be entered at startup: write one without, for "
                             "example by openssl pkey -in " +
                             key_file + " -out NEW_FILE, with mode 0600");
  const bool is_mismatch =
      failure.category() == boost::asio::error::get_ssl_category() &&
      ERR_GET_REASON(static_cast<unsigned long>(failure.value())) == X509_R_KEY_VALUES_MISMATCH;
  if (failure && !is_mismatch)
    throw std::runtime_error("cannot use the TLS key " + key_file + ": " +
                             describe_failure(key_file, "private key", failure));
  if (is_mismatch || SSL_CTX_check_private_key(context.native_handle()) != 1)
    throw std::runtime_error("the TLS key " + key_file + " does not belong to the certificate " +
                             certificate_file);
}

std::chrono::sys_seconds to_sys_seconds(const ASN1_TIME* time) {
  std::tm fields{};
  ASN1_TIME_to_tm(time, &fields);
  return std::chrono::sys_seconds{std::chrono::seconds{timegm(&fields)}};
}

std::string subject_of(X509& certificate) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253);
  char* begin = nullptr;
  const auto size = BIO_get_mem_data(text.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
}

/// Returns a host name or an address; empty for other kinds of names.
std::string text_of(const GENERAL_NAME& name) {
  if (name.type != GEN_DNS && name.type != GEN_IPADD) return {};
  const auto* const value = name.type == GEN_DNS ? name.d.dNSName : name.d.iPAddress;
  const auto* const bytes = ASN1_STRING_get0_data(value);
  const auto size = static_cast<std::size_t>(ASN1_STRING_length(value));
  if (name.type == GEN_DNS) return {reinterpret_cast<const char*>(bytes), size};
  char text[INET6_ADDRSTRLEN]{};
  const int family = size == sizeof(in_addr) ? AF_INET : size == sizeof(in6_addr) ? AF_INET6 : AF_UNSPEC;
  return inet_ntop(family, bytes, text, sizeof text) ? text : "";
}

std::string names_of(X509& certificate) {
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> all(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  std::string names;
  for (int i = 0; i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const auto* const name = sk_GENERAL_NAME_value(all.get(), i);
    const auto text = text_of(*name);
    if (!text.empty()) names.append(names.empty() ? "" : ",").append(text);
  }
  return names.empty() ? subject_of(certificate) : names;
}

/// Returns the context's own certificate, followed by its chain.
std::vector<X509*> certificates_of(SSL_CTX* context) {
  std::vector<X509*> all{SSL_CTX_get0_certificate(context)};
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context, &chain);
  for (int i = 0; i < sk_X509_num(chain); ++i) all.push_back(sk_X509_value(chain, i));
  return all;
}

std::string digest_of(const std::vector<X509*>& certificates) {
  std::string bytes;
  for (X509* const certificate : certificates) {
    unsigned char* der = nullptr;
    const int size = i2d_X509(certificate, &der);
    if (size > 0) bytes.append(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
  }
  return security::to_hex(security::sha256(bytes));
}

certificate_facts facts_of(SSL_CTX* context, const std::string& file) {
  const auto all = certificates_of(context);
  certificate_facts facts{file, names_of(*all.front()), digest_of(all), std::chrono::sys_seconds::min(),
                          std::chrono::sys_seconds::max()};
  for (X509* const certificate : all) {
    facts.from = std::max(facts.from, to_sys_seconds(X509_get0_notBefore(certificate)));
    facts.until = std::min(facts.until, to_sys_seconds(X509_get0_notAfter(certificate)));
  }
  return facts;
}

} // namespace

tls_identity load_tls(const std::string& certificate_file, const std::string& key_file) {
  auto result = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = result->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // TLS 1.2 with forward secrecy and authenticated encryption only (RFC 9325, 4.2), as TLS 1.3 always has.
  SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!PSK");
  SSL_CTX_set_options(native,
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Saves the record buffers of idle connections: 34 KB each. The file has the whole chain; without the
  // second mode OpenSSL would search the system's certificates for more in each handshake.
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
  // Without a context ID OpenSSL refuses to resume sessions.
  static constexpr std::string_view session_context = "roost";
  SSL_CTX_set_session_id_context(native, reinterpret_cast<const unsigned char*>(session_context.data()),
                                 static_cast<unsigned>(session_context.size()));
  // Clients keep their sessions in tickets; a second copy in memory would only cost time and space.
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  load_files(*result, certificate_file, key_file);
  return {result, facts_of(native, certificate_file)};
}

} // namespace roost::http
