#include "security/connector_tokens.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace roost::security {

namespace {

constexpr std::size_t coordinate_size = 32;
using point_bytes = std::array<unsigned char, 1 + 2 * coordinate_size>; ///< 4, x, y

template <auto Free>
struct freed {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using number = std::unique_ptr<BIGNUM, freed<BN_free>>;
using curve = std::unique_ptr<EC_GROUP, freed<EC_GROUP_free>>;
using point = std::unique_ptr<EC_POINT, freed<EC_POINT_free>>;
using parameter_builder = std::unique_ptr<OSSL_PARAM_BLD, freed<OSSL_PARAM_BLD_free>>;
using parameters = std::unique_ptr<OSSL_PARAM, freed<OSSL_PARAM_free>>;
using context = std::unique_ptr<EVP_PKEY_CTX, freed<EVP_PKEY_CTX_free>>;
using key_pair = std::unique_ptr<EVP_PKEY, freed<EVP_PKEY_free>>;
using text_sink = std::unique_ptr<BIO, freed<BIO_free_all>>;

void require(bool done) {
  if (!done) throw std::runtime_error("cannot make a key on P-256");
}

/// A number from 1 to the curve's order less one; all are as likely, but for what nobody can measure.
number scalar_from(const signing_key& secret, const EC_GROUP& group) {
  for (char attempt = '0';; ++attempt) {
    const auto bytes = keyed_hash(secret, "connector signing key", std::string(1, attempt));
    number made(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
    require(made != nullptr);
    if (!BN_is_zero(made.get()) && BN_cmp(made.get(), EC_GROUP_get0_order(&group)) < 0) return made;
  }
}

point_bytes public_point(const EC_GROUP& group, const BIGNUM& scalar) {
  const point made(EC_POINT_new(&group));
  require(made && EC_POINT_mul(&group, made.get(), &scalar, nullptr, nullptr, nullptr) == 1);
  point_bytes bytes;
  require(EC_POINT_point2oct(&group, made.get(), POINT_CONVERSION_UNCOMPRESSED, bytes.data(), bytes.size(),
                             nullptr) == bytes.size());
  return bytes;
}

key_pair pair_of(const BIGNUM& scalar, const point_bytes& open) {
  const parameter_builder builder(OSSL_PARAM_BLD_new());
  require(builder &&
          OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1,
                                          0) == 1 &&
          OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1 &&
          OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, open.data(),
                                           open.size()) == 1);
  const parameters given(OSSL_PARAM_BLD_to_param(builder.get()));
  const context making(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  EVP_PKEY* made = nullptr;
  require(given && making && EVP_PKEY_fromdata_init(making.get()) == 1 &&
          EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_KEYPAIR, given.get()) == 1);
  return key_pair(made);
}

template <typename Write>
std::string pem(Write write) {
  const text_sink sink(BIO_new(BIO_s_mem()));
  require(sink && write(sink.get()) == 1);
  char* text = nullptr;
  const auto size = BIO_get_mem_data(sink.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

} // namespace

ec_key ec_key_from(const signing_key& secret) {
  const curve group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  require(group != nullptr);
  const auto scalar = scalar_from(secret, *group);
  const auto open = public_point(*group, *scalar);
  const auto pair = pair_of(*scalar, open);
  const byte_view coordinates(open);
  return {pem([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
          }),
          pem([&](BIO* to) { return PEM_write_bio_PUBKEY(to, pair.get()); }),
          to_base64url(coordinates.subspan(1, coordinate_size)),
          to_base64url(coordinates.subspan(1 + coordinate_size))};
}

namespace {

jwt_key es256(const std::string& pem) {
  return {jwt_algorithm::es256, {reinterpret_cast<const unsigned char*>(pem.data()), pem.size()}};
}

} // namespace

std::optional<access_claims> connector_tokens::key_material::check(std::string_view text) const {
  if (pairs.empty()) return verify_access_token(*ring, text);
  const auto id = key_id_of(text);
  const auto found = std::ranges::find_if(pairs, [&](const named_pair& each) { return each.id == id; });
  if (found == pairs.end()) return std::nullopt;
  return verify_access_token(es256(found->pair.public_pem), text);
}

void connector_tokens::replace_keys(std::shared_ptr<const key_ring> keys) {
  auto made = std::make_shared<key_material>();
  if (algorithm_ == jwt_algorithm::es256)
    for (const auto& each : keys->all()) made->pairs.push_back({each.id, ec_key_from(each.key)});
  made->ring = std::move(keys);
  std::shared_ptr<const key_material> shared = std::move(made);
  verifier_.replace_checker([shared](std::string_view text) { return shared->check(text); });
  const std::lock_guard lock(mutex_);
  material_ = std::move(shared);
}

std::string connector_tokens::issue(const access_claims& claims) const {
  const auto with = material();
  if (with->pairs.empty()) return issue_access_token(*with->ring, claims);
  const auto& newest = with->pairs.front();
  return issue_access_token(es256(newest.pair.private_pem), newest.id, claims);
}

std::string connector_tokens::public_keys() const {
  const auto with = material();
  rapidjson::StringBuffer text;
  rapidjson::Writer json(text);
  const auto field = [&json](const char* name, const std::string& value) {
    json.Key(name);
    json.String(value.c_str());
  };
  json.StartObject();
  json.Key("keys");
  json.StartArray();
  for (const auto& [id, pair] : with->pairs) {
    json.StartObject();
    field("kty", "EC");
    field("crv", "P-256");
    field("alg", "ES256");
    field("use", "sig");
    field("kid", id);
    field("x", pair.x);
    field("y", pair.y);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return {text.GetString(), text.GetSize()};
}

} // namespace roost::security
