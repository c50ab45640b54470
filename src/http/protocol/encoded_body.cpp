#include "http/protocol/encoded_body.hpp"

#include "http/protocol/ascii.hpp"
#include "http/protocol/entity_tag.hpp"
#include "http/protocol/request.hpp"

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

encoded_body::encoded_body(std::string_view content_type, actors::shared_body identity,
                           actors::shared_body gzip, std::string_view tag,
                           const prebuilt::header_fields& more)
    : identity_tag_('"' + std::string(tag) + '"'), gzip_tag_('"' + std::string(tag) + "-gzip\"") {
  const auto fields = [&more](const std::string& etag) {
    prebuilt::header_fields all{{"ETag", etag}, {"Vary", "Accept-Encoding"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  identity_ = std::make_shared<prebuilt>(200, content_type, std::move(identity), fields(identity_tag_));
  identity_not_modified_ = std::make_shared<prebuilt>(304, "", actors::shared_body{}, fields(identity_tag_));
  if (gzip.size() == 0) return;
  auto compressed = fields(gzip_tag_);
  compressed.emplace_back("Content-Encoding", "gzip");
  gzip_ = std::make_shared<prebuilt>(200, content_type, std::move(gzip), compressed);
  gzip_not_modified_ = std::make_shared<prebuilt>(304, "", actors::shared_body{}, fields(gzip_tag_));
}

response serve(const request& req, const encoded_body& document) {
  const bool gzip = document.gzip_ && prefers_gzip(req);
  response answer;
  if (not_modified(req, gzip ? document.gzip_tag_ : document.identity_tag_))
    answer.shared = gzip ? document.gzip_not_modified_ : document.identity_not_modified_;
  else
    answer.shared = gzip ? document.gzip_ : document.identity_;
  answer.status = answer.shared->status();
  return answer;
}

} // namespace roost::http
