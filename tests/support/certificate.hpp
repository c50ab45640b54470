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

/// A self-signed certificate for localhost with its key. Replaces an existing one in the same folder.
struct certificate {
  explicit certificate(const std::filesystem::path& folder,
                       std::chrono::seconds lifetime = std::chrono::hours{1},
                       std::chrono::seconds age = std::chrono::hours{24})
      : certificate_file(folder / "certificate.pem"), key_file(folder / "key.pem") {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> created(X509_new(), &X509_free);
    X509_set_version(created.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(created.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(created.get()), -age.count());
    X509_gmtime_adj(X509_getm_notAfter(created.get()), lifetime.count());
    X509_set_pubkey(created.get(), key.get());
    X509_NAME* const name = X509_get_subject_name(created.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"),
                               -1, -1, 0);
    X509_set_issuer_name(created.get(), name);
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> hosts(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost"), &X509_EXTENSION_free);
    X509_add_ext(created.get(), hosts.get(), -1);
    X509_sign(created.get(), key.get(), EVP_sha256());
    write(certificate_file, [&](std::FILE* file) { return PEM_write_X509(file, created.get()); });
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
