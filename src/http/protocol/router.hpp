#pragma once

#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/router.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::http {

namespace asio = boost::asio;

/// Runs on the connection's I/O thread and must not block it; awaits what takes time. May throw http::error.
/// An actors::ask_error that it lets pass becomes 503 busy; whatever else it throws becomes 500 and is logged
/// with the request id.
using handler = std::function<asio::awaitable<response>(request&)>;
/// A handler that has nothing to wait for: saves the coroutine's frame.
using immediate_handler = std::function<response(request&)>;

/// Runs after the header and before anything of the body is read or 100 Continue is sent; refuses by throwing
/// http::error. It may leave what it learned in request.context.
using check = std::function<void(request&)>;

/// Whom a route lets in.
struct entry_rule {
  entry_rule() = default;
  entry_rule(std::initializer_list<check> all) : checks(all) {}
  entry_rule(std::vector<check> all, std::string what) : checks(std::move(all)), needs(std::move(what)) {}

  std::vector<check> checks;     ///< in this order: rate limit, configured, authentication
  std::string needs = "nothing"; ///< what a caller must have, in words: for `roost routes`
};

/// Whether something is true now. Asked on an I/O thread for each answer, so it only looks.
using condition = std::function<bool()>;

/// What body a route takes.
enum class body_policy {
  none, ///< a body that comes nevertheless is read within the limits and ignored
  json, ///< application/json, with or without a charset; anything else is 415
  form, ///< application/x-www-form-urlencoded or JSON
};

/// A row of a route table.
struct route {
  std::string method;  ///< e.g. GET, which answers HEAD too
  std::string pattern; ///< e.g. /listings/{externalId}; empty for the prefix itself
  body_policy body = body_policy::none;
  entry_rule entry;
  std::variant<handler, immediate_handler> handle;
  const operation* documented = nullptr; ///< in its prefix's OpenAPI document; null: not told there
  /// Whether what is known here still holds: the server may have stood still since the checks. Asked right
  /// before an answer to GET or a refusal is sent, which becomes 503 busy when it is false; what was written
  /// stays true. Null: it always holds.
  condition holds = {};
  /// How a refusal of this route is shown, e.g. as a page; null: as JSON.
  std::function<response(const request&, const error&)> show = {};
  /// Machines ask it again and again how the server is: its 503 is an answer, and no refusal.
  bool is_probe = false;
};

/// A handler of a route that works with a context, of which it keeps a copy.
template <typename Context, typename Answer>
auto with(Context context, Answer (*handle)(const Context&, request&)) {
  return [context = std::move(context), handle](request& req) { return handle(context, req); };
}

/// Which route answers a method and a path. Segments are compared after percent-decoding, exactly: case
/// counts, and a trailing or a doubled slash makes another path. A literal segment goes before a {parameter}.
class router {
public:
  /// `prefix` is empty or starts with a slash, as do the patterns. Throws std::invalid_argument for a pattern
  /// that is not well formed or is mounted already.
  void mount(std::string_view prefix, std::vector<route> routes);

  struct entry {
    route definition;
    std::string pattern;    ///< with its prefix: the name in metrics and logs
    std::size_t prefix = 0; ///< of those that were mounted: its routes share the limits of a workload
  };

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// The index of the route, or npos; parameters are left in `parameters`. Throws bad_request when the path's
  /// percent-encoding is broken.
  std::size_t find(std::string_view method, std::string_view path,
                   std::vector<std::string>& parameters) const;

  const std::vector<entry>& entries() const { return entries_; }
  /// How many different prefixes were mounted.
  std::size_t prefixes() const { return prefixes_.size(); }

private:
  struct node {
    std::vector<std::pair<std::string, std::size_t>> literals;
    std::size_t parameter = npos;
    std::vector<std::size_t> routes;
  };

  std::size_t child(std::size_t parent, std::string_view segment);
  std::size_t search(std::size_t at, const std::vector<std::string_view>& segments, std::size_t depth,
                     std::string_view method, std::vector<std::string>& parameters) const;

  std::vector<node> nodes_{1};
  std::vector<entry> entries_;
  std::vector<std::string> prefixes_;
};

} // namespace roost::http
