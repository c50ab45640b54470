#include "actors/connector/client_document.hpp"

#include "domain/assistant.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace roost::actors {

namespace {

using json = rapidjson::Value;
using enum client_document_refusal;

/// Thrown for an unusable document.
struct unusable_document {
  client_document_refusal reason;
};

std::string_view text_of(const json& value) {
  if (!value.IsString()) throw unusable_document{malformed};
  return {value.GetString(), value.GetStringLength()};
}

std::optional<std::string> text_at(const json& object, const char* name) {
  const auto member = object.FindMember(name);
  if (member == object.MemberEnd()) return std::nullopt;
  return std::string(text_of(member->value));
}

std::vector<std::string> texts_at(const json& object, const char* name) {
  std::vector<std::string> texts;
  const auto member = object.FindMember(name);
  if (member == object.MemberEnd()) return texts;
  if (!member->value.IsArray()) throw unusable_document{malformed};
  for (const auto& item : member->value.GetArray()) texts.emplace_back(text_of(item));
  return texts;
}

/// Duplicate members are rejected, because other programs may use the other one.
bool has_unique_members(const json& object) {
  std::set<std::string_view> names;
  return std::ranges::all_of(object.GetObject(),
                             [&](const auto& member) { return names.insert(text_of(member.name)).second; });
}

} // namespace

std::string_view to_string(client_document_refusal refusal) {
  constexpr std::array<std::string_view, 6> names{"bad_address",  "no_document",  "malformed",
                                                  "other_client", "bad_redirect", "needs_secret"};
  return names[static_cast<std::size_t>(refusal)];
}

client_document_policy::client_document_policy(const std::vector<std::string>& hosts,
                                               domain::redirect_policy redirects)
    : redirects_(std::move(redirects)) {
  for (const auto& host : hosts)
    if (const auto address = domain::parse_web_address("https://" + host); address)
      origins_.push_back(address->origin());
}

bool client_document_policy::allows_address(std::string_view url) const {
  if (!is_document_address(url)) return false;
  const auto address = domain::parse_web_address(url);
  return address && address->path.size() > 1 &&
         std::ranges::find(origins_, address->origin()) != origins_.end();
}

client_document_verdict client_document_policy::check(std::string_view url, std::string_view document) const {
  constexpr unsigned strict = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  rapidjson::Document parsed;
  parsed.Parse<strict>(document.data(), document.size());
  if (parsed.HasParseError() || !parsed.IsObject()) return malformed;
  try {
    if (!has_unique_members(parsed)) return malformed;
    if (text_at(parsed, "client_id") != url) return other_client;
    if (text_at(parsed, "token_endpoint_auth_method").value_or(std::string(store::public_client)) !=
            store::public_client ||
        parsed.HasMember("client_secret") || parsed.HasMember("client_secret_expires_at"))
      return needs_secret;
    store::oauth_client client;
    client.id = url;
    client.redirect_uris = texts_at(parsed, "redirect_uris");
    if (client.redirect_uris.empty() || !std::ranges::all_of(client.redirect_uris, [this](const auto& uri) {
          return redirects_.allows(uri);
        }))
      return bad_redirect;
    auto name = domain::kept_client_name(text_at(parsed, "client_name").value_or(""));
    if (!name.empty()) client.name = std::move(name);
    client.grant_types = domain::kept_grant_types(texts_at(parsed, "grant_types"));
    client.scope = text_at(parsed, "scope");
    return client;
  } catch (const unusable_document& error) {
    return error.reason;
  }
}

} // namespace roost::actors
