#include "bytes/prebuilt.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>
#include <stdexcept>

namespace roost::bytes {

namespace {

encoded_body::form make_form(std::string_view content_type, shared_body body, std::string tag,
                             header_fields fields, std::string_view coding) {
  encoded_body::form form{std::move(tag), nullptr, nullptr};
  fields.insert(fields.begin(), {{"ETag", form.tag}, {"Vary", "Accept-Encoding"}});
  form.not_modified = std::make_shared<prebuilt>(304, "", shared_body{}, fields);
  if (!coding.empty()) fields.emplace_back("Content-Encoding", coding);
  form.whole = std::make_shared<prebuilt>(200, content_type, std::move(body), fields);
  return form;
}

} // namespace

void append_field(std::string& head, std::string_view name, std::string_view value) {
  if (!ascii::is_token(name) || !std::ranges::all_of(value, ascii::is_field_value_character))
    throw std::invalid_argument("invalid header field in a response");
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

encoded_body::encoded_body(std::string_view content_type, shared_body identity, shared_body gzip,
                           std::string_view tag, const header_fields& more)
    : identity_(make_form(content_type, std::move(identity), '"' + std::string(tag) + '"', more, "")) {
  if (gzip.size() > 0)
    gzip_ = make_form(content_type, std::move(gzip), '"' + std::string(tag) + "-gzip\"", more, "gzip");
}

} // namespace roost::bytes
