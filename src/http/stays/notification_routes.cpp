#include "http/access/access.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_objects.hpp"
#include "http/stays/stay_queries.hpp"
#include "http/stays/stays_api.hpp"
#include "portfolio/description.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using domain::notification;
using portfolio::field, portfolio::optional, portfolio::reader, portfolio::reading, portfolio::record,
    portfolio::via;
using store::office_notification;
namespace kind = portfolio::kind;

/// A notification as the caller may see it.
struct shown_notification {
  office_notification stored;
  std::optional<std::string> body; ///< nullopt: it names a guest, and the caller may not see tenants
};

template <auto Member>
constexpr auto in_notification = via(&shown_notification::stored, &office_notification::notification, Member);

constexpr auto notification_object = record<shown_notification>(
    field("id", kind::id, in_notification<&notification::id>, "The notification's UUID"),
    field("kind", stored_text{}, in_notification<&notification::kind>,
          "What it is about: `booking_created`, `booking_refused`, `booking_cancelled`, `calendar_conflict`, "
          "`calendar_failing` and others"),
    field("title", stored_text{}, in_notification<&notification::title>, ""),
    field("body", stored_text{}, &shown_notification::body,
          "null: it names a guest, and the role lacks tenants.view"),
    field("booking", kind::id, in_notification<&notification::booking_id>, "null: none"),
    field("request", kind::id, in_notification<&notification::request_id>, "null: none"),
    field("createdAt", kind::moment, in_notification<&notification::created_at>, "In UTC"),
    field("read", kind::flag, via(&shown_notification::stored, &office_notification::is_read),
          "Whether the caller has read it"));

shown_notification shown(office_notification stored, bool shows_tenants) {
  const auto& about = stored.notification;
  const bool names_guest = about.booking_id || about.request_id;
  shown_notification result{{}, {}};
  if (shows_tenants || !names_guest) result.body = about.body;
  result.stored = std::move(stored);
  return result;
}

store::moment_place place_of(const notification& each) { return {each.created_at, each.id}; }

std::string place_after(const shown_notification& last) {
  return cursor_after(place_of(last.stored.notification));
}

store::notified_user user_of(const request& req) { return {caller_of(req).user->id, scope_of(req)}; }

/// Reads a page of the notifications that a user sees.
asio::awaitable<std::optional<store::office_page<office_notification>>>
notification_page(actors::storage_lane lane, store::notified_user user, std::optional<bool> is_read,
                  std::optional<store::moment_place> after, std::size_t limit, store::with_total counted) {
  return optional_page<office_notification>(std::move(lane), [=](store::session& db) {
    return store::list_user_notifications(db, user, is_read, after, limit, counted);
  });
}

asio::awaitable<response> list_notifications(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after", "read"});
  const auto limit = read_list_limit(query);
  const auto after = read_moment_place(query);
  const auto is_read = query.value("read", parse_flag, " must be true or false");
  query.throw_if_refused();
  const bool shows_tenants = may_see_tenants(services, req);
  const auto user = user_of(req);
  if (wants_csv(req)) {
    page_reader<office_notification> next_page = [lane = services.storage, user,
                                                  is_read](const office_notification* last) {
      std::optional<store::moment_place> place;
      if (last != nullptr) place = place_of(last->notification);
      return notification_page(lane, user, is_read, place, max_list_limit, store::with_total::no);
    };
    row_writer<office_notification> add = [shows_tenants, rows = rows_of(notification_object)](
                                              csv_table& table, const office_notification* each) {
      if (each == nullptr) return rows(table, nullptr);
      const auto whole = shown(*each, shows_tenants);
      rows(table, &whole);
    };
    auto table = co_await stream_table(std::move(next_page), std::move(add), "notifications");
    co_return std::move(table).value();
  }
  auto stored =
      co_await notification_page(services.storage, user, is_read, after, limit, store::with_total::yes);
  store::office_page<shown_notification> page{{}, stored->has_more, stored->total};
  for (auto& each : stored->items) page.items.push_back(shown(std::move(each), shows_tenants));
  co_return json(200, page_json(notification_object, page, place_after));
}

/// Which notifications to mark as read.
struct read_marks {
  std::vector<domain::uuid> ids;
  domain::timestamp before{};
  bool has_ids = false;
};

constexpr std::size_t max_ids = max_list_limit;

struct id_list {
  json::schema schema() const {
    auto ids = json::array_of({{.type = "string", .format = "uuid"}});
    ids.schema_facts.max_items = max_ids;
    return ids;
  }
  bool read(reader& in, std::vector<domain::uuid>& to) const {
    if (!in.list(to, [&](domain::uuid& id) { return portfolio::read_id(in, id); })) return false;
    return (!to.empty() && to.size() <= max_ids) ||
           in.refuse("must have 1 to " + std::to_string(max_ids) + " elements");
  }
};

bool check_marks(reading<read_marks>& at) {
  at.to.has_ids = at.has("ids");
  return at.has("ids") != at.has("before") || at.in.refuse("must have either ids or before");
}

constexpr auto marks_object = record<read_marks>(
    {.check = check_marks}, field("ids", id_list{}, &read_marks::ids, "The notifications to mark", optional),
    field("before", kind::moment, &read_marks::before,
          "Marks all notifications from before this time, in UTC", optional));

asio::awaitable<response> mark_read(const office_services& services, request& req) {
  read_marks marks;
  read_whole(req.body, marks_object, marks, services.configured);
  std::function<bool(store::session&, const store::lease&)> work =
      [marks = std::move(marks), user = user_of(req)](store::session& db, const store::lease& held) {
        if (marks.has_ids) return store::mark_read(db, held, user, marks.ids);
        store::mark_read_before(db, held, user, marks.before);
        return true;
      };
  actors::leased_lane lane{services.storage, services.management->lease};
  const bool is_known = co_await actors::in_store(std::move(lane), "office_write", std::move(work));
  if (!is_known) throw not_found("There is no such notification");
  co_return empty(204);
}

const documented_response lacks_permission{403, "The role lacks bookings.view", "Error"};

const operation list_operation{
    .id = "listNotifications",
    .summary =
        "Returns the notifications to the landlord, newest first, and whether the caller has read them",
    .responses = {{200, "A page of notifications, or all of them as CSV", "NotificationPage"},
                  lacks_permission},
    .queries = {limit_query,
                after_query,
                {"read", "Only notifications that the caller has read, or only the others", "ListFlag"}}};
const operation mark_operation{
    .id = "markNotificationsRead",
    .summary =
        "Marks notifications as read by the caller, by their ids or by their time. Repeating it is safe",
    .body_schema = "NotificationMarks",
    .responses = {{204, "They are marked", ""},
                  lacks_permission,
                  {404,
                   "There is no such notification. None is marked",
                   "Error",
                   false,
                   {},
                   "There is no such notification"}}};

} // namespace

std::vector<route> notification_routes(const office_services& services) {
  constexpr auto permission = "bookings.view";
  using enum body_policy;
  return routes_for(
      services,
      {{"GET", "/api/notifications", none, permission, list_notifications, &list_operation},
       {"POST", "/api/notifications/read", body_policy::json, permission, mark_read, &mark_operation}});
}

void add_notification_schemas(json::schemas& to) {
  add_list_schemas(to, json::schema_of(notification_object), "Notification");
  to.add("NotificationMarks", json::schema_of(marks_object));
}

} // namespace roost::http
