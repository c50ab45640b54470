#include "http/office/resource_routes.hpp"
#include "portfolio/account.hpp"

#include <algorithm>
#include <iterator>

namespace roost::http {

namespace {

using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::reader, portfolio::record,
    portfolio::via;
using store::ai_month, store::ai_settings, store::office_ai;
namespace kind = portfolio::kind;

constexpr const char* ai_noun = "state of the AI settings";

/// The level of every area. Those that a request names are set.
struct area_levels {
  constexpr json::facts schema_facts() const {
    return {.type = "object", .other_members = R"({"type":"string","enum":["off","read-only","edit"]})"};
  }
  bool read(reader& in, store::ai_area_levels& to) const {
    return in.members([&](std::string_view name) {
      const auto area = domain::find_tool_area(name);
      if (!area) return portfolio::objects::refuse_ai_area(in, name);
      std::size_t level = 0;
      if (!portfolio::read_choice(in, level, domain::tool_level_names)) return false;
      store::set_level(to, *area, static_cast<domain::tool_level>(level));
      return true;
    });
  }
  void write(std::string& to, const store::ai_area_levels& areas) const {
    const domain::tool_access access(areas);
    to += '{';
    for (std::size_t area = 0; area < domain::tool_areas.size(); ++area) {
      if (area > 0) to += ", ";
      portfolio::append_quoted(to, domain::tool_areas.at(area).name);
      to += ": ";
      portfolio::append_quoted(to, to_string(access.level(area)));
    }
    to += '}';
  }
};

/// A month, of which the first day is kept: `2026-11`.
struct month_name {
  constexpr json::facts schema_facts() const { return {.type = "string", .pattern = "^[0-9]{4}-[0-9]{2}$"}; }
  void write(std::string& to, domain::date month) const {
    constexpr std::size_t length = 7; // of YYYY-MM
    portfolio::append_quoted(to, domain::to_short_text(month).view().substr(0, length));
  }
};

constexpr auto month_object =
    record<ai_month>(field("month", month_name{}, &ai_month::month, "The current month, in UTC"),
                     field("cost", kind::cost, &ai_month::cost,
                           "The costs in this month so far, in US dollars: an exact decimal"),
                     field("reached", portfolio::objects::ai_thresholds{}, &ai_month::reached,
                           "The values of `warnAt` that the costs have reached"));

/// The usage, whatever a client sends for it: the rule refuses it as a whole.
struct month_usage {
  json::schema schema() const { return json::reference_or_schema_of(month_object); }
  bool read(reader&, ai_month&) const { return true; }
  void write(std::string& to, const ai_month& month, const portfolio::writing& with) const {
    portfolio::write_on_one_line(to, month_object, month, with);
  }
};

constexpr auto ai_object = record<office_ai>(
    field("areas", area_levels{}, via(&office_ai::settings, &ai_settings::areas),
          "The access of assistants by area of the tool server. A change names some or all of them",
          optional),
    field("budget", kind::object{portfolio::objects::ai_budget_object},
          via(&office_ai::settings, &ai_settings::budget), "The budget for AI calls; null: none", optional),
    field("usage", month_usage{}, &office_ai::usage, "The usage that counts towards the budget", optional,
          read_only, untagged));

/// Lists the areas that differ one by one.
void list_areas(std::vector<domain::field_change>& changes, const office_ai& before, const office_ai& after) {
  const auto whole = std::ranges::find(changes, "areas", &domain::field_change::field);
  if (whole == changes.end()) return;
  const auto quoted = [](domain::tool_level level) { return '"' + std::string(to_string(level)) + '"'; };
  const domain::tool_access from(before.settings.areas), to(after.settings.areas);
  std::vector<domain::field_change> areas;
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area)
    if (from.level(area) != to.level(area))
      areas.push_back({"areas." + std::string(domain::tool_areas.at(area).name), quoted(from.level(area)),
                       quoted(to.level(area))});
  const auto rest = changes.erase(whole);
  changes.insert(rest, std::make_move_iterator(areas.begin()), std::make_move_iterator(areas.end()));
}

domain::date current_month(const office_services& services) {
  return domain::first_of_month(domain::day_of(services.management->now()));
}

asio::awaitable<response> show_ai(const office_services& services, request& req) {
  refuse_owners(req);
  std::function<std::optional<office_ai>(store::session&)> find =
      [scope = scope_of(req), month = current_month(services)](store::session& db) {
        return store::find_office_ai(db, scope, month);
      };
  const auto ai = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!ai) throw not_found("There is no such account");
  co_return respond_with(200, ai_object, *ai);
}

using ai_outcome = store::office_outcome<office_ai>;

std::function<ai_outcome(store::session&, const store::lease&)> change_of(const office_services& services,
                                                                          const request& req) {
  const auto scope = scope_of(req);
  store::office_change<office_ai> change{scope.account_id, {}, {}};
  if (auto sent = if_match_of(req); sent.is_present)
    change.is_current = [sent = std::move(sent)](const office_ai& stored) {
      return sent.matches(tag_of(ai_object, stored));
    };
  change.apply = [body = req.body, &services](office_ai& stored) {
    const auto before = stored;
    auto edit = edit_by(body, ai_object, stored, services.configured);
    list_areas(edit.changes, before, stored);
    return edit;
  };
  return [scope, change = std::move(change), month = current_month(services),
          author = author_of(services, req, store::ai_settings_edit, domain::to_string(scope.account_id),
                             {})](store::session& db, const store::lease& held) {
    return store::change_office_ai(db, held, scope, change, author, month);
  };
}

asio::awaitable<response> change_ai(const office_services& services, request& req) {
  refuse_owners(req);
  office_ai blank;
  const auto problems = read_some(req.body, ai_object, blank, services.configured);
  if (!problems.empty()) throw bad_request(problems);
  auto work = change_of(services, req);
  auto lane = services.lane();
  const auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  throw_refusal(req, ai_object, done.resource, {done.result, done.problem, done.last}, ai_noun);
  co_return respond_with(200, ai_object, done.resource);
}

const documented_resource documented_ai{
    "AiSettings", ai_noun, ai_noun, "account_settings.module", "account_settings.module", {}};

const operation show_ai_operation{
    .id = "getAiSettings",
    .summary =
        "Returns what assistants may do, the budget for AI calls and the usage of this month, with their "
        "ETag",
    .responses = {{200, "The settings", "AiSettings"},
                  {403, "The role lacks account_settings.module", "Error"}}};

} // namespace

std::vector<route> ai_routes(const office_services& services) {
  static const operation change{.id = "changeAiSettings",
                                .summary = "Changes the members that the body has, and of `areas` those that "
                                           "it has; null removes the budget",
                                .body_schema = "AiSettingsChange",
                                .responses = change_responses(documented_ai),
                                .headers = {if_match_header}};
  constexpr auto settings = "/api/ai", permission = "account_settings.module";
  return routes_for(services, {{"GET", settings, body_policy::none, permission, show_ai, &show_ai_operation},
                               {"PUT", settings, body_policy::json, permission, change_ai, &change}});
}

void add_ai_schemas(json::schemas& to) { add_resource_schemas(to, ai_object, "AiSettings"); }

} // namespace roost::http
