#pragma once

#include <any>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// A header field as it was sent, without the white space around its value.
struct header_field {
  std::string_view name;
  std::string_view value;
};

/// One request; it lives in its connection while its handler runs, and its views with it.
struct request {
  std::string_view method; ///< as sent; HEAD stays HEAD although a GET route answers it
  std::string_view
      target;            ///< as sent, with the query; of an absolute-form target without scheme and authority
  std::string_view path; ///< the target up to the question mark, not decoded
  std::string_view query; ///< what follows the question mark, not decoded; empty without one

  /// The decoded values of the route pattern's {…}, in order.
  std::vector<std::string> parameters;

  std::vector<header_field> fields; ///< in the order sent; trailers are not among them

  /// The value of the first field of this name (any case); empty when there is none.
  std::string_view header(std::string_view name) const;
  /// How many fields of this name there are: a repeated credential must not pass.
  std::size_t count(std::string_view name) const;
  /// All values of this name, in order.
  std::vector<std::string_view> all(std::string_view name) const;

  /// Empty while checks run. Has at least 64 spare bytes of capacity, so that simdjson may parse it in place.
  std::string body;

  /// 16 hexadecimal digits made by the server; every answer carries it as X-Request-Id.
  std::string_view request_id;
  /// The client's address: the peer's, or X-Forwarded-For's when the peer is a trusted proxy.
  std::string_view remote_address;

  /// What a check learned for the handler (who is asking), in a type they agree on.
  std::any context;
};

} // namespace roost::http
