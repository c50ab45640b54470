#include "actors/office/office_resources.hpp"
#include "http/access/access.hpp"
#include "http/office/change_objects.hpp"
#include "http/office/office_api.hpp"

#include <charconv>

namespace roost::http {

namespace {

using portfolio::field, portfolio::record;
using store::audit_entry, store::unit_change;
namespace kind = portfolio::kind;

constexpr auto audit_object = record<audit_entry>(
    field("id", kind::id, &audit_entry::id, "The entry's UUID"),
    field("at", kind::moment, &audit_entry::made_at, "The time of the change, in UTC"),
    field("actor", stored_text{}, &audit_entry::actor,
          "`user` and an email address, a partner's credential and its id, or an operator's name"),
    field("action", stored_text{}, &audit_entry::action, "The operation, such as `unit change`"),
    field("subject", stored_text{}, &audit_entry::subject,
          "The id or the name of what was changed, or empty"),
    field("detail", stored_text{}, &audit_entry::detail,
          "For people: the changed members with their values before and after, or what else is known"));

constexpr auto unit_change_object = record<unit_change>(
    field("id", kind::id, &unit_change::id, "The entry's UUID"),
    field("at", kind::moment, &unit_change::at, "The time of the change, in UTC"),
    field("by", stored_text{}, &unit_change::by, "A platform's name or a user's email address"),
    field("subject", kind::id, &unit_change::subject_id, "The id of the unit, or of its block or booking"),
    field("changes", kind::list{field_change_object}, &unit_change::changes, "The members that changed"));

std::optional<store::audit_place> read_audit_place(query_reader& query) {
  constexpr std::size_t texts_of_place = 2; // a time and an id
  const auto texts = read_cursor(query, texts_of_place);
  if (!texts) return std::nullopt;
  const auto made_at = domain::parse_timestamp(texts->front());
  const auto id = domain::parse_uuid(texts->back());
  if (!made_at || !id) return refuse_cursor(query);
  return store::audit_place{*made_at, *id};
}

store::audit_place place_of(const audit_entry& entry) { return {entry.made_at, entry.id}; }

std::string audit_cursor(const audit_entry& last) {
  return cursor_of({domain::to_string(last.made_at), domain::to_string(last.id)});
}

store::audit_filter read_audit_filter(query_reader& query, const domain::uuid& account) {
  constexpr std::string_view moment_rule = " must be a valid ISO 8601 date string";
  store::audit_filter filter{account};
  filter.since = query.value("since", domain::parse_iso_moment, moment_rule);
  filter.until = query.value("until", domain::parse_iso_moment, moment_rule);
  filter.actor = query.value("actor", parse_storable, storable_rule).value_or("");
  filter.text = query.value("q", parse_storable, storable_rule).value_or("");
  return filter;
}

/// Reads a page of the audit log.
asio::awaitable<std::optional<store::office_page<audit_entry>>>
audit_page(actors::storage_lane lane, store::audit_filter filter, std::optional<store::audit_place> after,
           std::size_t limit, store::with_total counted) {
  return optional_page<audit_entry>(std::move(lane), [=](store::session& db) {
    return store::list_account_audit(db, filter, after, limit, counted);
  });
}

asio::awaitable<response> list_audit(const office_services& services, request& req) {
  refuse_owners(req);
  query_reader query(req.query, {"limit", "after", "since", "until", "actor", "q"});
  const auto limit = read_list_limit(query);
  const auto after = read_audit_place(query);
  auto filter = read_audit_filter(query, scope_of(req).account_id);
  filter.with_tenants = has_permission(services.management->roles, caller_of(req).user->role, "tenants.view");
  query.throw_if_refused();
  if (wants_csv(req)) {
    page_reader<audit_entry> next_page = [lane = services.storage, filter](const audit_entry* last) {
      std::optional<store::audit_place> place;
      if (last != nullptr) place = place_of(*last);
      return audit_page(lane, filter, place, max_list_limit, store::with_total::no);
    };
    auto rows = rows_of(audit_object);
    auto table = co_await stream_table(std::move(next_page), std::move(rows), "audit");
    co_return std::move(table).value();
  }
  const auto page = co_await audit_page(services.storage, filter, after, limit, store::with_total::yes);
  co_return json(200, page_json(audit_object, page.value(), audit_cursor));
}

/// Reads the position before which a page of a changelog begins.
std::optional<std::int64_t> read_edit(query_reader& query) {
  const auto texts = read_cursor(query, 1);
  if (!texts) return std::nullopt;
  const auto& text = texts->front();
  std::int64_t edit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), edit);
  if (error != std::errc{} || end != text.data() + text.size()) return refuse_cursor(query);
  return edit;
}

std::string edit_cursor(const unit_change& last) { return cursor_of({std::to_string(last.edit)}); }

/// Reads a page of a unit's changelog; nullopt if there is no such unit.
asio::awaitable<std::optional<store::office_page<unit_change>>>
unit_change_page(actors::storage_lane lane, store::office_scope scope, domain::uuid unit,
                 std::optional<std::int64_t> before, std::size_t limit, store::with_total counted,
                 store::with_bookings shown) {
  return actors::in_store(std::move(lane), "office_read", [=](store::session& db) {
    return store::list_unit_changes(db, scope, unit, before, limit, counted, shown);
  });
}

store::with_bookings shown_to(const office_services& services, const request& req) {
  const auto& role = caller_of(req).user->role;
  return has_permission(services.management->roles, role, "bookings.view") ? store::with_bookings::yes
                                                                           : store::with_bookings::no;
}

asio::awaitable<response> list_unit_changes(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after"});
  const auto limit = read_list_limit(query);
  const auto before = read_edit(query);
  query.throw_if_refused();
  const auto unit = id_in_path(req, 0);
  if (!unit) throw not_found("There is no such unit");
  const auto shown = shown_to(services, req);
  if (wants_csv(req)) {
    page_reader<unit_change> next_page = [lane = services.storage, scope = scope_of(req), id = *unit,
                                          shown](const unit_change* last) {
      std::optional<std::int64_t> edit;
      if (last != nullptr) edit = last->edit;
      return unit_change_page(lane, scope, id, edit, max_list_limit, store::with_total::no, shown);
    };
    auto rows = rows_of(unit_change_object);
    auto table = co_await stream_table(std::move(next_page), std::move(rows), "changes");
    if (!table) throw not_found("There is no such unit");
    co_return *std::move(table);
  }
  const auto page = co_await unit_change_page(services.storage, scope_of(req), *unit, before, limit,
                                              store::with_total::yes, shown);
  if (!page) throw not_found("There is no such unit");
  co_return json(200, page_json(unit_change_object, *page, edit_cursor));
}

const operation audit_operation{
    .id = "listAudit",
    .summary = "Returns who changed what in the account, newest first",
    .responses = {{200, "A page of entries, or all entries as CSV", "AuditEntryPage"},
                  {403, "The role lacks account_settings.module, or is Owner", "Error"}},
    .queries = {limit_query,
                after_query,
                {"since", "The earliest time, inclusive", "ListMoment"},
                {"until", "The latest time, inclusive", "ListMoment"},
                {"actor", "Only entries of this actor", "ListText"},
                {"q", "Only entries whose action, subject or detail contains this", "ListText"}}};
const operation changes_operation{
    .id = "listUnitChanges",
    .summary =
        "Returns who changed a unit, one of its blocks or, with bookings.view, one of its bookings, and how, "
        "newest first",
    .responses = {{200, "A page of entries, or all entries as CSV", "ChangelogEntryPage"},
                  {403, "The role lacks listings.view", "Error"},
                  {404, "There is no such unit", "Error", false, {}, "There is no such unit"}},
    .queries = {limit_query, after_query}};

} // namespace

std::vector<route> history_routes(const office_services& services) {
  using enum body_policy;
  return routes_for(
      services,
      {{"GET", "/api/audit", none, "account_settings.module", list_audit, &audit_operation},
       {"GET", "/api/units/{unitId}/changes", none, "listings.view", list_unit_changes, &changes_operation}});
}

void add_history_schemas(json::schemas& to) {
  add_list_schemas(to, json::schema_of(audit_object), "AuditEntry");
  add_list_schemas(to, json::schema_of(unit_change_object), "ChangelogEntry");
}

} // namespace roost::http
