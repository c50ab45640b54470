#include "http/partner/webhook_values.hpp"

#include "http/json/object_reader.hpp"
#include "http/protocol/error.hpp"

#include <cmath>

namespace roost::http {

std::optional<std::string> unless_blank(std::optional<std::string> text) {
  if (text && text->find_first_not_of(" \t\r\n\f\v") == std::string::npos) return std::nullopt;
  return text;
}

std::string stored_text(std::string text, std::size_t longest) {
  if (text.find('\0') != std::string::npos) throw bad_request("A value has an invalid format.");
  if (length_of(text) > longest) throw bad_request("A value is too long for its field.");
  return text;
}

std::string cut(std::string_view text, std::size_t longest) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && characters++ == longest) break;
  return std::string{text.substr(0, end)};
}

std::optional<domain::money> cents_of(double number) {
  if (!(number > 0)) return std::nullopt;
  const auto cents = std::round(number);
  if (cents >= static_cast<double>(domain::amount_limit.cents))
    throw bad_request("A numeric value is out of range.");
  return domain::money{static_cast<std::int64_t>(cents)};
}

domain::tenant_details webhook_tenant(std::optional<std::string> first_name,
                                      std::optional<std::string> last_name, std::optional<std::string> email,
                                      std::optional<std::string> phone, std::string_view reference) {
  constexpr auto name = [](std::optional<std::string> sent, std::string_view placeholder) {
    auto text = unless_blank(std::move(sent)).value_or(std::string{placeholder});
    return stored_text(cut(text, domain::longest_tenant_text), domain::longest_tenant_text);
  };
  domain::tenant_details tenant;
  tenant.first_name = name(std::move(first_name), "Guest");
  tenant.last_name = name(std::move(last_name), "Tenant");
  email = unless_blank(std::move(email));
  tenant.email = email ? stored_text(std::move(*email), domain::longest_tenant_text)
                       : "guest-" + std::string{reference} + "@placeholder.invalid";
  if (phone = unless_blank(std::move(phone)); phone)
    tenant.phone = stored_text(std::move(*phone), domain::longest_tenant_phone);
  return tenant;
}

} // namespace roost::http
