#include "simulation/clients/simulated_browser.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/text_encoding.hpp"
#include "simulation/history.hpp"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

namespace roost::testing {

std::string form_body(const form_fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text += (text.empty() ? "" : "&") + name + '=' + http::percent_encoded(value);
  return text;
}

http_call simulated_browser::call(std::string method, std::string path, std::string body,
                                  const std::string& type) const {
  http_call result{std::move(method), std::move(path), std::move(body), {{"User-Agent", name_}}};
  std::string cookies;
  for (const auto& [name, value] : cookies_) cookies += (cookies.empty() ? "" : "; ") + name + '=' + value;
  if (!cookies.empty()) result.fields.emplace_back("Cookie", cookies);
  if (!type.empty()) result.fields.emplace_back("Content-Type", type);
  return result;
}

void simulated_browser::store_cookies(const simulated_response& response) {
  for (const auto& [field, text] : response.fields) {
    if (!ascii::equal_ignoring_case(field, "Set-Cookie")) continue;
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals), value = text.substr(equals + 1, text.find(';') - equals - 1);
    if (value.empty())
      cookies_.erase(name);
    else
      cookies_[name] = value;
  }
}

std::string simulated_browser::cookie(const std::string& name) const {
  const auto at = cookies_.find(name);
  return at == cookies_.end() ? "" : at->second;
}

std::string hidden_field(const std::string& page, const std::string& name) {
  const auto prefix = "type=\"hidden\" name=\"" + name + "\" value=\"";
  const auto position = page.find(prefix);
  if (position == std::string::npos) return "";
  const auto begin = position + prefix.size();
  return page.substr(begin, page.find('"', begin) - begin);
}

std::string text_at(const simulated_response& response, const std::string& pointer) {
  rapidjson::Document tree;
  if (tree.Parse(response.body.data(), response.body.size()).HasParseError())
    throw contradiction("a response is not JSON: " + response.body.substr(0, 200));
  const auto* value = rapidjson::Pointer(pointer.data(), pointer.size()).Get(tree);
  return value && value->IsString() ? std::string(value->GetString(), value->GetStringLength()) : "";
}

} // namespace roost::testing
