#include "http/protocol/representation.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/entity_tags.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::http {
namespace {

/// Returns a weight of 0 to 1000 thousandths (RFC 9110, 12.4.2): 1000 without one, 0 if it is malformed.
int weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const auto parameter = ascii::trim(ascii::take_until(parameters, ';'));
    if (parameter.size() < 2 || ascii::lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
    const auto value = parameter.substr(2);
    if (value.empty() || value.size() > 5 || (value.size() > 1 && value[1] != '.')) return 0;
    int thousandths = 0;
    for (const std::size_t at : {0, 2, 3, 4}) {
      const char digit = at < value.size() ? value[at] : '0';
      if (!ascii::is_digit(digit)) return 0;
      thousandths = 10 * thousandths + (digit - '0');
    }
    return thousandths > 1000 ? 0 : thousandths;
  }
  return 1000;
}

/// Whether Accept-Encoding prefers gzip to no coding: false without the field or if both weights are 0.
bool prefers_gzip(const request& req) {
  std::optional<int> gzip, identity, any;
  for (const auto& field : req.fields) {
    if (!ascii::equal_ignoring_case(field.name, "Accept-Encoding")) continue;
    std::string_view list = field.value;
    for (auto element = ascii::next_element(list); !element.empty(); element = ascii::next_element(list)) {
      const auto coding = ascii::trim(ascii::take_until(element, ';'));
      const int q = weight(element);
      if (ascii::equal_ignoring_case(coding, "gzip") || ascii::equal_ignoring_case(coding, "x-gzip"))
        gzip = q;
      else if (ascii::equal_ignoring_case(coding, "identity"))
        identity = q;
      else if (coding == "*")
        any = q;
    }
  }
  const int gzip_weight = gzip.value_or(any.value_or(0));
  // Without a weight of its own, identity is acceptable but not preferred.
  return gzip_weight > 0 && gzip_weight >= identity.value_or(0);
}

bytes::encoded_body encoded(const fixed_document& document) {
  const auto tag = entity_tag_of(document.text);
  return {document.content_type, bytes::shared_body{document.text}, bytes::shared_body{document.gzip},
          tag.substr(1, tag.size() - 2), document.fields};
}

/// A document that is made when it is first requested. Thread-safe. If making it fails, the next request
/// tries again.
class lazy_document {
public:
  explicit lazy_document(std::function<fixed_document()> make) : make_(std::move(make)) {}

  const bytes::encoded_body& get() {
    // Not std::call_once: with the thread sanitizer, the call after a failure never returns.
    const std::scoped_lock lock(mutex_);
    if (!body_) {
      body_ = encoded(make_());
      make_ = nullptr;
    }
    return *body_;
  }

private:
  std::mutex mutex_;
  std::function<fixed_document()> make_;
  std::optional<bytes::encoded_body> body_;
};

} // namespace

response serve(const request& req, const bytes::encoded_body& document) {
  const auto& form = document.has_gzip() && prefers_gzip(req) ? document.gzip() : document.identity();
  response result;
  result.shared = not_modified(req, form.tag) ? form.not_modified : form.whole;
  result.status = result.shared->status();
  return result;
}

route document_route(std::string pattern, std::function<fixed_document()> make) {
  const auto document = std::make_shared<lazy_document>(std::move(make));
  return {"GET", std::move(pattern), body_policy::none, {}, [document](request& req) {
            return serve(req, document->get());
          }};
}

route document_route(std::string pattern, fixed_document document) {
  return document_route(std::move(pattern), [document = std::move(document)] { return document; });
}

} // namespace roost::http
