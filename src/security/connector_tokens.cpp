#include "security/connector_tokens.hpp"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace roost::security {

namespace {

constexpr std::size_t coordinate_size = 32;
using point_bytes = std::array<unsigned char, 1 + 2 * coordinate_size>; ///< 0x04, x, y

template <auto Free>
struct deleter {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using number = std::unique_ptr<BIGNUM, deleter<BN_free>>;
using curve = std::unique_ptr<EC_GROUP, deleter<EC_GROUP_free>>;
using point = std::unique_ptr<EC_POINT, deleter<EC_POINT_free>>;

void require(bool success) {
  if (!success) throw std::runtime_error("cannot generate a P-256 key");
}

/// Derives a number from 1 to the curve's order minus one, uniform up to negligible bias.
number scalar_from(const signing_key& secret, const EC_GROUP& group) {
  for (char attempt = '0';; ++attempt) {
    const auto bytes = keyed_hash(secret, "connector signing key", std::string(1, attempt));
    number scalar(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
    require(scalar != nullptr);
    if (!BN_is_zero(scalar.get()) && BN_cmp(scalar.get(), EC_GROUP_get0_order(&group)) < 0) return scalar;
  }
}

point_bytes public_point(const EC_GROUP& group, const BIGNUM& scalar) {
  const point product(EC_POINT_new(&group));
  require(product && EC_POINT_mul(&group, product.get(), &scalar, nullptr, nullptr, nullptr) == 1);
  point_bytes bytes;
  require(EC_POINT_point2oct(&group, product.get(), POINT_CONVERSION_UNCOMPRESSED, bytes.data(), bytes.size(),
                             nullptr) == bytes.size());
  return bytes;
}

} // namespace

ec_key ec_key_from(const signing_key& secret) {
  const curve group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  require(group != nullptr);
  const auto scalar = scalar_from(secret, *group);
  const auto coordinates = public_point(*group, *scalar);
  ec_key pair;
  require(BN_bn2binpad(scalar.get(), pair.d.data(), static_cast<int>(pair.d.size())) ==
          static_cast<int>(pair.d.size()));
  std::copy_n(coordinates.begin() + 1, coordinate_size, pair.x.begin());
  std::copy_n(coordinates.begin() + 1 + coordinate_size, coordinate_size, pair.y.begin());
  return pair;
}

void connector_tokens::replace_keys(std::shared_ptr<const key_ring> keys) {
  key_list replacement;
  for (const auto& each : keys->all()) {
    std::optional<ec_key> pair;
    if (algorithm_ == jwt_algorithm::es256) pair = ec_key_from(each.key);
    replacement.push_back({each.id, pair, pair ? jwt_key(*pair) : jwt_key(each.key)});
  }
  const auto shared = std::make_shared<const key_list>(std::move(replacement));
  verifier_.replace_checker([shared](std::string_view text) -> std::optional<access_claims> {
    const auto id = key_id_of(text);
    const auto found = std::ranges::find_if(*shared, [&](const auto& each) { return each.id == id; });
    return found == shared->end() ? std::nullopt : verify_access_token(found->key, text);
  });
  const std::lock_guard lock(mutex_);
  keys_ = shared;
}

std::string connector_tokens::issue(const access_claims& claims) const {
  const auto current = keys();
  return issue_access_token(current->front().key, current->front().id, claims);
}

std::string connector_tokens::public_keys() const {
  const auto current = keys();
  rapidjson::StringBuffer text;
  rapidjson::Writer json(text);
  const auto field = [&json](const char* name, const std::string& value) {
    json.Key(name);
    json.String(value.c_str());
  };
  json.StartObject();
  json.Key("keys");
  json.StartArray();
  for (const auto& [id, pair, key] : *current) {
    if (!pair) continue;
    json.StartObject();
    field("kty", "EC");
    field("crv", "P-256");
    field("alg", "ES256");
    field("use", "sig");
    field("kid", id);
    field("x", to_base64url(pair->x));
    field("y", to_base64url(pair->y));
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return {text.GetString(), text.GetSize()};
}

} // namespace roost::security
