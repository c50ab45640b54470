#include "http/json/json_body.hpp"

#include "http/json/json_fault.hpp"
#include "http/protocol/error.hpp"

#include <utility>

namespace roost::http {

namespace {

/// A small body can hold very many mistakes, which nobody reads all of.
constexpr std::size_t most_messages = 100;

/// One a thread: a parser keeps its memory, and a request is read before its handler first waits.
simdjson::dom::parser& parser() {
  thread_local simdjson::dom::parser reused;
  return reused;
}

} // namespace

json_body::json_body(std::string& text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element document;
  if (parser().parse(text.data(), text.size(), false).get(document))
    throw bad_request("Body is not valid JSON but content-type is set to 'application/json': " +
                      json_fault(text));
  if (document.get(root_)) throw bad_request("Request body must be a JSON object");
}

void json_body::refuse(std::string message) {
  if (messages_.size() < most_messages)
    messages_.push_back(std::move(message));
  else
    ++further_;
}

void json_body::throw_if_refused() const {
  if (messages_.empty()) return;
  std::string all;
  for (const auto& message : messages_) {
    if (!all.empty()) all += ", ";
    all += message;
  }
  if (further_ > 0) all += ", and " + std::to_string(further_) + " more";
  throw bad_request(std::move(all));
}

void json_body::throw_if_any() const {
  throw_if_refused();
  columns_.throw_if_any();
}

} // namespace roost::http
