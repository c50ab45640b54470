#include "actors/runtime/ask.hpp"
#include "http/office/event_streams.hpp"
#include "http/office/office_api.hpp"
#include "json/writer.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace roost::http {

namespace {

constexpr std::chrono::seconds session_check_interval{60};
/// How long a browser waits before it opens a stream again that has ended.
constexpr std::string_view reconnection = "retry: 2000\n";

std::string to_text(const store::stream_point& point) {
  return std::to_string(point.position) + '-' + domain::to_string(point.id);
}

/// Reads the id of an event; nullopt for any other text.
std::optional<store::stream_point> parse_point(std::string_view text) {
  store::stream_point point;
  const auto* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, point.position);
  if (failure != std::errc() || rest == end || *rest != '-') return std::nullopt;
  const auto id = domain::parse_uuid({rest + 1, static_cast<std::size_t>(end - rest) - 1});
  if (!id || point.position <= 0) return std::nullopt;
  point.id = *id;
  return point;
}

/// Returns an event without data: the browser only remembers its id.
std::string id_text(const store::stream_point& point) { return "id: " + to_text(point) + "\n\n"; }

std::string data_of(const actors::shown_event& event) {
  json::writer json;
  json.begin_object();
  json.field("kind", domain::to_string(event.kind));
  json.key("ids");
  json.begin_array();
  for (const auto& id : event.ids) json.value(domain::to_string(id));
  json.end_array();
  json.field("position", event.position);
  json.end_object();
  return std::string(json.text());
}

std::string reload_text(const store::stream_point& point) {
  return "event: reload\ndata: {\"position\":" + std::to_string(point.position) + "}\n" + id_text(point);
}

/// An event stream (HTML Standard, 9.2). Ends with the session, and when this server is no longer the writer.
class event_stream {
public:
  event_stream(const office_services& services, const request& req)
      : services_(services), scope_(scope_of(req)), session_id_(caller_of(req).session_id),
        user_id_(caller_of(req).user->id), epoch_(caller_of(req).user->epoch),
        slot_(services.event_streams->open(user_id_)) {}

  /// Begins after the event that the client knows, or now.
  asio::awaitable<void> begin(std::string_view last_event) {
    at_.generation = services_.followed->generation();
    if (const auto point = parse_point(last_event)) {
      const bool continues = co_await actors::is_event_point(services_.storage, *point);
      at_.end = *point;
      if (continues) co_return;
    }
    at_.end = services_.followed->point();
    at_.is_gap = !last_event.empty();
    if (at_.end.position == 0) throw busy(); // memory is being loaded
  }

  asio::awaitable<std::optional<std::string>> next() {
    if (!std::exchange(has_begun_, true)) co_return std::string(reconnection) + text_of(at_);
    actors::await_events message{scope_, at_.end, at_.generation};
    bool has_ended = false;
    try {
      at_ = co_await actors::ask(services_.events, std::move(message));
      has_ended = !is_signed_in();
      if (!has_ended) has_ended = co_await has_expired();
    } catch (const actors::ask_error&) {
      has_ended = true; // the client opens it again
    }
    if (has_ended) co_return std::nullopt;
    co_return text_of(at_);
  }

private:
  using clock = std::chrono::steady_clock;

  static std::string text_of(const actors::awaited_events& awaited) {
    if (awaited.is_gap) return reload_text(awaited.end);
    std::string text;
    for (const auto& event : awaited.events) {
      text.append("data: ").append(data_of(event)).append("\n");
      if (&event != &awaited.events.back()) text += '\n';
    }
    return text + id_text(awaited.end);
  }

  /// Whether the session has not been ended, and its user still sees the same.
  bool is_signed_in() const {
    const auto& management = *services_.management;
    const auto users = management.users->get();
    const auto* user = users ? users->find(user_id_) : nullptr;
    return user != nullptr && !user->deactivated && user->epoch <= epoch_ && scope_of(*user) == scope_ &&
           !management.ended->has_ended(session_id_, user_id_, epoch_);
  }

  asio::awaitable<bool> has_expired() {
    if (clock::now() - checked_at_ < session_check_interval) co_return false;
    checked_at_ = clock::now();
    const auto live = co_await services_.management->sessions->list(user_id_);
    co_return std::ranges::none_of(live,
                                   [&](const store::session_row& each) { return each.id == session_id_; });
  }

  const office_services& services_;
  const store::office_scope scope_;
  const domain::uuid session_id_, user_id_;
  const std::int64_t epoch_;
  const std::shared_ptr<event_streams::slot> slot_;
  actors::awaited_events at_;
  clock::time_point checked_at_ = clock::now();
  bool has_begun_ = false;
};

asio::awaitable<response> open_stream(const office_services& services, request& req) {
  auto stream = std::make_shared<event_stream>(services, req);
  co_await stream->begin(req.only("last-event-id"));
  response result;
  result.content_type = "text/event-stream";
  result.fields.emplace_back("X-Accel-Buffering",
                             "no"); // else nginx collects events before it passes them on
  result.parts = [stream = std::move(stream)] { return stream->next(); };
  co_return result;
}

const operation stream_operation{
    .id = "streamEvents",
    .summary = "Reports changes of the account as server-sent events, from now on or after Last-Event-ID",
    .responses = {{.description = "`{\"kind\":…,\"ids\":[…],\"position\":…}` for each commit, and `reload` "
                                  "if events may be missing",
                   .text_type = "text/event-stream"}}};

} // namespace

std::vector<route> event_routes(const office_services& services) {
  return routes_for(services,
                    {{"GET", "/api/events", body_policy::none, "", open_stream, &stream_operation}});
}

} // namespace roost::http
