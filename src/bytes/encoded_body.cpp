#include "bytes/prebuilt.hpp"

namespace roost::bytes {

namespace {

encoded_body::form form_of(std::string_view content_type, shared_body body, std::string tag,
                           header_fields fields, std::string_view coding) {
  encoded_body::form made{std::move(tag), nullptr, nullptr};
  fields.insert(fields.begin(), {{"ETag", made.tag}, {"Vary", "Accept-Encoding"}});
  made.not_modified = std::make_shared<prebuilt>(304, "", shared_body{}, fields);
  if (!coding.empty()) fields.emplace_back("Content-Encoding", coding);
  made.whole = std::make_shared<prebuilt>(200, content_type, std::move(body), fields);
  return made;
}

} // namespace

encoded_body::encoded_body(std::string_view content_type, shared_body identity, shared_body gzip,
                           std::string_view tag, const header_fields& more)
    : identity_(form_of(content_type, std::move(identity), '"' + std::string(tag) + '"', more, "")) {
  if (gzip.size() > 0)
    gzip_ = form_of(content_type, std::move(gzip), '"' + std::string(tag) + "-gzip\"", more, "gzip");
}

} // namespace roost::bytes
