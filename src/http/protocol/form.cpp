#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"
#include "http/protocol/urlencoded.hpp"

#include <algorithm>

namespace roost::http {

namespace {

std::string decoded_part(std::string_view part) {
  std::string spaced(part);
  for (auto plus = spaced.find('+'); plus != std::string::npos; plus = spaced.find('+', plus + 1))
    spaced[plus] = ' ';
  auto decoded = percent_decoded(spaced);
  if (!decoded) throw bad_request("Malformed form: broken percent-encoding");
  if (decoded->find('\0') != std::string::npos) throw bad_request("Malformed form: a zero byte");
  return std::move(*decoded);
}

} // namespace

form_fields read_form(std::string_view text) {
  if (text.size() > longest_form) throw payload_too_large();
  form_fields fields;
  while (!text.empty()) {
    const auto end = text.find('&');
    const auto pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (pair.empty()) continue;
    if (fields.size() == max_form_fields) throw payload_too_large();
    const auto equals = pair.find('=');
    auto name = decoded_part(pair.substr(0, equals));
    if (name.empty()) throw bad_request("Malformed form: a field without a name");
    auto value = equals == std::string_view::npos ? std::string{} : decoded_part(pair.substr(equals + 1));
    const auto [at, is_new] = fields.try_emplace(std::move(name), std::move(value));
    if (!is_new) throw bad_request("Malformed form: " + at->first + " comes twice");
  }
  return fields;
}

} // namespace roost::http
