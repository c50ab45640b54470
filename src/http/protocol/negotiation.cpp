#include "bytes/ascii.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"

#include <algorithm>
#include <optional>

namespace roost::http {
namespace {

/// A weight of 0 to 1000 thousandths (RFC 9110, 12.4.2). One that is not well formed counts as 0: what cannot
/// be understood is not asked for.
int weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const auto semicolon = parameters.find(';');
    const auto parameter = ascii::trim(parameters.substr(0, semicolon));
    parameters = semicolon == std::string_view::npos ? std::string_view{} : parameters.substr(semicolon + 1);
    if (parameter.size() < 2 || ascii::lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
    const auto value = parameter.substr(2);
    if (value.empty() || value.size() > 5 || (value[0] != '0' && value[0] != '1')) return 0;
    if (value.size() > 1 && value[1] != '.') return 0;
    int thousandths = (value[0] - '0') * 1000;
    int unit = 100;
    for (const char digit : value.substr(std::min<std::size_t>(2, value.size()))) {
      if (!ascii::is_digit(digit)) return 0;
      thousandths += (digit - '0') * unit;
      unit /= 10;
    }
    return thousandths > 1000 ? 0 : thousandths;
  }
  return 1000;
}

/// Whether Accept-Encoding prefers gzip to no coding. Without the field, or when both weigh nothing, it does
/// not.
bool prefers_gzip(const request& req) {
  std::optional<int> gzip, identity, any;
  for (const auto& field : req.fields) {
    if (!ascii::equal_ignoring_case(field.name, "Accept-Encoding")) continue;
    std::string_view list = field.value;
    for (auto element = ascii::next_element(list); !element.empty(); element = ascii::next_element(list)) {
      const auto semicolon = element.find(';');
      const auto coding = ascii::trim(element.substr(0, semicolon));
      const int q = semicolon == std::string_view::npos ? 1000 : weight(element.substr(semicolon + 1));
      if (ascii::equal_ignoring_case(coding, "gzip") || ascii::equal_ignoring_case(coding, "x-gzip"))
        gzip = q;
      else if (ascii::equal_ignoring_case(coding, "identity"))
        identity = q;
      else if (coding == "*")
        any = q;
    }
  }
  const int gzip_weight = gzip.value_or(any.value_or(0));
  // Without a weight of its own, identity is acceptable but nobody asked for it.
  return gzip_weight > 0 && gzip_weight >= identity.value_or(0);
}

} // namespace

response serve(const request& req, const bytes::encoded_body& document) {
  const auto& form = document.has_gzip() && prefers_gzip(req) ? document.gzip() : document.identity();
  response answer;
  answer.shared = not_modified(req, form.tag) ? form.not_modified : form.whole;
  answer.status = answer.shared->status();
  return answer;
}

} // namespace roost::http
