#include "http/protocol/response.hpp"

#include "http/protocol/wire.hpp"

namespace roost::http {

prebuilt::prebuilt(unsigned status, std::string_view content_type, actors::shared_body body,
                   const header_fields& fields)
    : status_(status), body_(std::move(body)) {
  if (!content_type.empty()) wire::append_field(head_, "Content-Type", content_type);
  if (wire::may_have_body(status)) wire::append_field(head_, "Content-Length", std::to_string(body_.size()));
  for (const auto& [name, value] : fields) wire::append_field(head_, name, value);
  head_ += "\r\n";
}

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
