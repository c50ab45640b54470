#include "http/response.hpp"

#include "http/sealed_memory.hpp"
#include "http/wire.hpp"

#include <stdexcept>
#include <system_error>

namespace roost::http {
namespace {

constexpr std::size_t worth_a_file = 32 * 1024;

/// Nothing when there is no file to be had: the body then stays where it is.
std::unique_ptr<const sealed_memory> seal(std::string_view body) {
  if (body.size() < worth_a_file) return nullptr;
  try {
    return std::make_unique<const sealed_memory>(body);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

} // namespace

prebuilt::prebuilt(unsigned status, std::string_view content_type, std::string body,
                   const header_fields& fields)
    : status_(status), body_(std::move(body)) {
  if (!content_type.empty()) wire::append_field(head_, "Content-Type", content_type);
  if (wire::may_have_body(status)) wire::append_field(head_, "Content-Length", std::to_string(body_.size()));
  for (const auto& [name, value] : fields) wire::append_field(head_, name, value);
  head_ += "\r\n";
  sealed_ = seal(body_);
  if (sealed_) std::string().swap(body_);
}

prebuilt::~prebuilt() = default;

std::string_view prebuilt::body() const { return sealed_ ? sealed_->bytes() : body_; }

int prebuilt::file() const { return sealed_ ? sealed_->descriptor() : -1; }

response json(unsigned status, std::string body) {
  response answer;
  answer.status = status;
  answer.body = std::move(body);
  return answer;
}

response empty(unsigned status) {
  response answer;
  answer.status = status;
  answer.content_type.clear();
  return answer;
}

} // namespace roost::http
