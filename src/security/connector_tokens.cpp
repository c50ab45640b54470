#include "security/connector_tokens.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace roost::security {

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
