#include "http/json/message_list.hpp"

#include "http/protocol/error.hpp"

#include <utility>

namespace roost::http {

namespace {

/// Limits the response: even a small request can contain thousands of errors.
constexpr std::size_t max_messages = 100;

} // namespace

void message_list::refuse(std::string message) {
  if (messages_.size() < max_messages)
    messages_.push_back(std::move(message));
  else
    ++further_;
}

void message_list::throw_if_any() const {
  if (messages_.empty()) return;
  std::string all;
  for (const auto& message : messages_) {
    if (!all.empty()) all += ", ";
    all += message;
  }
  if (further_ > 0) all += ", and " + std::to_string(further_) + " more";
  throw bad_request(std::move(all));
}

} // namespace roost::http
