#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace roost::testing {

/// A self-signed certificate for localhost and its key, made for one test. One that is made again in the same
/// folder replaces it.
struct certificate {
  explicit certificate(const std::filesystem::path& folder,
                       std::chrono::seconds lifetime = std::chrono::hours{1},
                       std::chrono::seconds age = std::chrono::hours{24})
      : certificate_file(folder / "certificate.pem"), key_file(folder / "key.pem") {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), &X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -age.count());
    X509_gmtime_adj(X509_getm_notAfter(made.get()), lifetime.count());
    X509_set_pubkey(made.get(), key.get());
    X509_NAME* const name = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"),
                               -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> hosts(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost"), &X509_EXTENSION_free);
    X509_add_ext(made.get(), hosts.get(), -1);
    X509_sign(made.get(), key.get(), EVP_sha256());
    write(certificate_file, [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
    write(key_file, [&](std::FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

  std::string certificate_file, key_file;

private:
  template <class Writer>
  static void write(const std::string& path, Writer writer) {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "w"),
                                                                  &std::fclose);
    if (!file || writer(file.get()) != 1) throw std::runtime_error("cannot write " + path);
  }
};

} // namespace roost::testing
