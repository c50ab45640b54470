#include "http/connector/consent_form.hpp"

#include <array>
#include <charconv>

namespace roost::http {

namespace {

constexpr std::string_view purpose = "consent form";
constexpr std::string_view nobody = "-";

/// Form and request as one text; each part after its length, so that none can pass for two.
std::string sealed_text(std::string_view form, const authorize_request& asked) {
  std::string all(form);
  for (const auto name : authorize_request::names) {
    const auto* value = asked.value(name);
    all += '|';
    all += value == nullptr ? std::string(nobody) : std::to_string(value->size()) + ':' + *value;
  }
  return all;
}

std::string form_text(const opened_form& form) {
  return domain::to_string(form.id) + '.' + std::to_string(form.expires_at.time_since_epoch().count()) + '.' +
         (form.session ? domain::to_string(*form.session) : std::string(nobody));
}

std::optional<opened_form> parse_form(std::string_view text) {
  std::array<std::string_view, 3> parts;
  for (auto& part : parts) {
    const auto end = text.find('.');
    part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  const auto id = domain::parse_uuid(parts[0]);
  std::int64_t milliseconds = 0;
  std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), milliseconds);
  if (!id) return std::nullopt;
  return opened_form{*id, domain::timestamp{std::chrono::milliseconds{milliseconds}},
                     domain::parse_uuid(parts[2])};
}

} // namespace

std::string consent_value(const security::key_ring& keys, const opened_form& form,
                          const authorize_request& asked) {
  const auto text = form_text(form);
  return text + '.' + security::sealed(keys, purpose, sealed_text(text, asked));
}

std::optional<opened_form> parse_consent(const security::key_ring& keys, std::string_view value,
                                         const authorize_request& asked, domain::timestamp now) {
  const auto seal_at = value.rfind('.');
  if (seal_at == std::string_view::npos) return std::nullopt;
  const auto text = value.substr(0, seal_at);
  if (!security::seal_matches(keys, purpose, sealed_text(text, asked), value.substr(seal_at + 1)))
    return std::nullopt;
  const auto form = parse_form(text);
  if (!form || now >= form->expires_at) return std::nullopt;
  return form;
}

} // namespace roost::http
