#pragma once

#include "bytes/shared_body.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::bytes {

using header_fields = std::vector<std::pair<std::string, std::string>>; ///< names and values

/// Appends `name: value` and CR LF. Throws std::invalid_argument if that is not exactly one valid field (RFC
/// 9110, 5), so that no value can inject another field or a response.
void append_field(std::string& head, std::string_view name, std::string_view value);

/// Whether a response with this status has a body and a Content-Length (not 1xx, 204 and 304).
bool may_have_body(unsigned status);

/// An immutable response that is built once and sent many times without copying: its header fields in wire
/// form and its body. Date, X-Request-Id and Connection are added when it is sent.
class prebuilt {
public:
  /// Adds Content-Length. Throws std::invalid_argument if a header field is invalid.
  prebuilt(unsigned status, std::string_view content_type, shared_body body,
           const header_fields& fields = {});

  unsigned status() const { return status_; }
  /// The header fields in wire form, each with its CR LF, and the empty line.
  std::string_view head() const { return head_; }
  const shared_body& body() const { return body_; }

private:
  unsigned status_;
  std::string head_;
  shared_body body_;
};

/// A document built once, plain and optionally gzip-compressed, each with its strong ETag and 304 response.
class encoded_body {
public:
  /// The responses for one encoding.
  struct form {
    std::string tag; ///< with its quotes
    std::shared_ptr<const prebuilt> whole, not_modified;
  };

  encoded_body() = default; ///< no document
  /// An empty `gzip` means that there is no compressed form. `tag` identifies this version of the document
  /// (a hash of it) and must consist of ETag characters (RFC 9110, 8.8.3) without quotes. `more` is added to
  /// every response.
  encoded_body(std::string_view content_type, shared_body identity, shared_body gzip, std::string_view tag,
               const header_fields& more = {});

  const form& identity() const { return identity_; }
  const form& gzip() const { return gzip_; }
  bool has_gzip() const { return gzip_.whole != nullptr; }

private:
  form identity_, gzip_;
};

} // namespace roost::bytes
