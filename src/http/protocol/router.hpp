#pragma once

#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

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

/// A response of an operation in the OpenAPI document of its prefix.
struct documented_response {
  unsigned status = 200;
  std::string_view description;
  std::string_view schema;         ///< a name in the document's components; empty: no body
  bool list = false;               ///< an array of the schema
  std::string_view text_type = {}; ///< instead of a schema: a text of this media type
  /// The message in the example of an error, with `{platform}` for the platform's name; empty: the default.
  std::string_view message = {};
};

/// A header field of an operation's requests.
struct documented_header {
  std::string_view name, description;
  bool is_required = true;
};

/// A field of an operation's query.
struct documented_query {
  std::string_view name, description;
  std::string_view schema;                ///< a name in the document's components
  std::string_view required_example = {}; ///< of a field that must be sent; empty: it need not
};

/// The documentation of a route in the OpenAPI document, in addition to what the route itself implies. Errors
/// common to all routes are added there.
struct operation {
  std::string_view id;       ///< unique in a document; names the function in generated clients
  std::string_view summary;  ///< one sentence
  std::string_view tag = {}; ///< groups operations; empty: none
  std::string_view body_schema = {};
  std::string_view body_text = {}; ///< the media type of a body that is a text; the body may be either
  std::vector<documented_response> responses; ///< errors of one status are merged, each with an example
  std::vector<documented_header> headers = {};
  std::vector<documented_query> queries = {};
  bool is_open = false; ///< requires no token, unlike others of the document
};

/// Handles a request on the connection's I/O thread, which it must not block: it awaits slow operations. May
/// throw http::error. An actors::ask_error becomes 503 busy, or 400 if the store cannot hold a value; any
/// other exception is logged and becomes 500.
using handler = std::function<asio::awaitable<response>(request&)>;
/// A handler that never waits, which saves the coroutine frame.
using immediate_handler = std::function<response(request&)>;

/// Runs after the header is read, before the body is read or 100 Continue is sent. Throws http::error to
/// refuse the request. May store its results in request.context.
using check = std::function<void(request&)>;

/// The access rule of a route.
struct entry_rule {
  entry_rule() = default;
  entry_rule(std::initializer_list<check> all) : checks(all) {}
  entry_rule(std::vector<check> all, std::string needs) : checks(std::move(all)), needs(std::move(needs)) {}

  std::vector<check> checks;     ///< in this order: rate limit, configured, authentication
  std::string needs = "nothing"; ///< what a caller must present, for `roost routes`
  bool of_partners = false;      ///< whether that is a partner's or a service's credential, not a person's
};

/// A condition that is evaluated on an I/O thread for each response, so it must be fast.
using condition = std::function<bool()>;

/// The body that a route accepts.
enum class body_policy {
  none,     ///< any body is read within the limits and ignored
  json,     ///< application/json, with or without a charset; anything else is 415
  form,     ///< application/x-www-form-urlencoded or JSON
  csv,      ///< text/csv, with or without parameters; anything else is 415
  calendar, ///< text/calendar, with or without parameters, or JSON
};

/// A row of a route table.
struct route {
  std::string method;  ///< e.g. GET, which includes HEAD
  std::string pattern; ///< e.g. /listings/{externalId}; empty for the prefix itself
  body_policy body = body_policy::none;
  entry_rule entry;
  std::variant<handler, immediate_handler> handle;
  const operation* documented = nullptr; ///< in its prefix's OpenAPI document; null: undocumented
  /// Whether this server's data is still current: the process may have been suspended since the checks.
  /// Evaluated right before a response to GET or a refusal is sent, which becomes 503 busy if it is false;
  /// completed writes stay valid. Null: always.
  condition holds = {};
  /// Renders a refusal of this route, e.g. as a page; null: as JSON.
  std::function<response(const request&, const error&)> render_error = {};
  /// Whether monitoring polls this route: its 503 reports a state and is not a refusal.
  bool is_probe = false;
  std::size_t max_body = 0; ///< bytes; above it 413. 0: the listener's (settings)
};

/// Returns a handler that calls a function with its own copy of a context.
template <typename Context, typename Response>
auto with(Context context, Response (*handle)(const Context&, request&)) {
  return [context = std::move(context), handle](request& req) { return handle(context, req); };
}

/// Returns a handler that calls a function with a context that outlives the route.
template <typename Context, typename Response>
auto bound_to(const Context& context, Response (*handle)(const Context&, request&)) {
  return [&context, handle](request& req) { return handle(context, req); };
}

/// Finds the route for a method and a path. Decoded segments are compared exactly: case matters, as does a
/// trailing or doubled slash. A literal segment takes precedence over a {parameter}.
class router {
public:
  /// `prefix` is empty or starts with a slash, as do the patterns. Throws std::invalid_argument if a
  /// pattern is malformed or already mounted.
  void mount(std::string_view prefix, std::vector<route> routes);

  struct entry {
    route definition;
    std::string pattern;    ///< with its prefix, as in metrics and logs
    std::size_t prefix = 0; ///< the index of its prefix, whose routes share the limits of a workload
  };

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// Returns the route's index, or npos, and sets `parameters`. Throws bad_request for malformed encoding.
  std::size_t find(std::string_view method, std::string_view path,
                   std::vector<std::string>& parameters) const;

  const std::vector<entry>& entries() const { return entries_; }
  /// Returns the number of distinct prefixes.
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
