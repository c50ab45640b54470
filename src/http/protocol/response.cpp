#include "http/protocol/message.hpp"

namespace roost::http {

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
