#pragma once

#include "bytes/prebuilt.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace roost::bytes {

/// A document made once in both encodings, each with its strong ETag, and the 304 of each.
class encoded_body {
public:
  /// One encoding's answers.
  struct form {
    std::string tag; ///< with its quotes
    std::shared_ptr<const prebuilt> whole, not_modified;
  };

  encoded_body() = default; ///< no document
  /// An empty `gzip` means that there is no compressed form. `tag` names this version of the document (a hash
  /// of it) and must consist of ETag characters (RFC 9110, 8.8.3) without quotes. `more` fields are in every
  /// answer.
  encoded_body(std::string_view content_type, shared_body identity, shared_body gzip, std::string_view tag,
               const header_fields& more = {});

  const form& identity() const { return identity_; }
  const form& gzip() const { return gzip_; }
  bool has_gzip() const { return gzip_.whole != nullptr; }

private:
  form identity_, gzip_;
};

} // namespace roost::bytes
