#include "http/protocol/representation.hpp"

namespace roost::http {

route document_route(std::string pattern, fixed_document document) {
  const auto quoted = entity_tag_of(document.text);
  const auto ready = std::make_shared<const bytes::encoded_body>(
      document.content_type, bytes::shared_body{document.text}, bytes::shared_body{document.gzip},
      quoted.substr(1, quoted.size() - 2), document.fields);
  return {
      "GET", std::move(pattern), body_policy::none, {}, [ready](request& req) { return serve(req, *ready); }};
}

} // namespace roost::http
