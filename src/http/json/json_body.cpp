#include "http/json/json_body.hpp"

#include "http/json/body_errors.hpp"
#include "http/protocol/error.hpp"

namespace roost::http {

namespace {

/// Returns this thread's parser, which reuses its memory. A request is read completely before its handler
/// first suspends, so that one parser per thread is enough.
simdjson::dom::parser& parser() {
  thread_local simdjson::dom::parser reused;
  return reused;
}

} // namespace

json_body::json_body(std::string& text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element document;
  if (parser().parse(text.data(), text.size(), false).get(document)) throw malformed_json(json_fault(text));
  if (document.get(root_)) throw bad_request("Request body must be a JSON object");
}

void json_body::throw_if_any() const {
  throw_if_refused();
  columns_.throw_if_any();
}

} // namespace roost::http
