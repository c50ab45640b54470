#include "bytes/prebuilt.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>
#include <stdexcept>

namespace roost::bytes {

void append_field(std::string& head, std::string_view name, std::string_view value) {
  if (!ascii::is_token(name) || !std::ranges::all_of(value, ascii::is_field_value_character))
    throw std::invalid_argument("an answer's header field is not valid");
  head.append(name).append(": ").append(value).append("\r\n");
}

bool may_have_body(unsigned status) { return status >= 200 && status != 204 && status != 304; }

prebuilt::prebuilt(unsigned status, std::string_view content_type, shared_body body,
                   const header_fields& fields)
    : status_(status), body_(std::move(body)) {
  if (!content_type.empty()) append_field(head_, "Content-Type", content_type);
  if (may_have_body(status)) append_field(head_, "Content-Length", std::to_string(body_.size()));
  for (const auto& [name, value] : fields) append_field(head_, name, value);
  head_ += "\r\n";
}

} // namespace roost::bytes
