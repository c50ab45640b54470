#pragma once

#include "http/protocol/response.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace roost::http {

struct request;

/// A document made once in both encodings, each with its strong ETag, and the 304 of each.
class encoded_body {
public:
  /// An empty `gzip` means that there is no compressed form. `tag` names this version of the document (a hash
  /// of it) and must consist of ETag characters (RFC 9110, 8.8.3) without quotes. `more` fields are in every
  /// answer.
  encoded_body(std::string_view content_type, actors::shared_body identity, actors::shared_body gzip,
               std::string_view tag, const prebuilt::header_fields& more = {});

  const std::shared_ptr<const prebuilt>& identity() const { return identity_; }
  const std::shared_ptr<const prebuilt>& gzip() const { return gzip_; } ///< null when there is none

private:
  friend response serve(const request& req, const encoded_body& document);

  std::string identity_tag_, gzip_tag_;
  std::shared_ptr<const prebuilt> identity_, gzip_, identity_not_modified_, gzip_not_modified_;
};

/// Chooses the encoding by Accept-Encoding with its weights (RFC 9110, 12.5.3), answers 304 where
/// If-None-Match (RFC 9110, 13.1.2: weak comparison, lists, `*`) names the chosen form, and carries Vary:
/// Accept-Encoding. Copies nothing. The server leaves the body away for HEAD.
response serve(const request& req, const encoded_body& document);

} // namespace roost::http
