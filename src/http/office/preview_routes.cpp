#include "actors/runtime/ask.hpp"
#include "http/office/office_api.hpp"
#include "http/office/office_objects.hpp"
#include "http/office/publication_reasons.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <span>

namespace roost::http {

namespace {

/// What both feeds of a platform show of a unit.
struct preview {
  std::vector<publication_reason> reasons; ///< why the unit is not in the partial feed
  std::vector<publication_reason> gaps;    ///< what its full listing lacks
  std::string partial, full;               ///< JSON; empty: not published
};

constexpr auto reason_object =
    json::object<publication_reason>("", json::member("code", &publication_reason::code, "For programs"),
                                     json::member("text", &publication_reason::text, "For people"));

json::json_text or_null(const std::string& json) { return {json.empty() ? std::string_view{"null"} : json}; }

constexpr auto preview_object = json::object<preview>(
    "UnitPreview",
    json::member(
        "published", [](const preview& shown) { return !shown.partial.empty(); },
        "Whether the partial feed has the unit"),
    json::list("reasons", &preview::reasons, reason_object, "Every reason why it does not"),
    json::list("gaps", &preview::gaps, reason_object, "What the full listing lacks"),
    json::member(
        "partial", [](const preview& shown) { return or_null(shown.partial); },
        "The listing object; null: not published", json::of_type{"object"}, json::nullable),
    json::member(
        "full", [](const preview& shown) { return or_null(shown.full); },
        "The object of the full feed; null: not published, or no full feed", json::of_type{"object"},
        json::nullable));

asio::awaitable<response> show_preview(const office_services& services, request& req) {
  const auto id = id_in_path(req, 0);
  const auto& on = platform_in_path(services, req, 1);
  const auto platform = static_cast<std::size_t>(&on - services.configured.platforms.data());
  if (!id) throw not_found("There is no such unit");
  using found_unit =
      std::pair<std::optional<domain::portfolio_unit>, std::shared_ptr<const store::presentation>>;
  std::function<found_unit(store::session&)> find = [scope = scope_of(req), id = *id,
                                                     name = on.name](store::session& db) {
    auto unit = store::find_unit(db, scope, id);
    if (!unit) return found_unit{};
    auto shown = store::presentations(db, std::span(&id, 1), name);
    const auto found = shown.find(id);
    if (found == shown.end()) return found_unit{std::move(unit), nullptr};
    return found_unit{std::move(unit), std::make_shared<const store::presentation>(std::move(found->second))};
  };
  const auto stored = co_await actors::in_store(services.storage, "office_preview", std::move(find));
  if (!stored.first) throw not_found("There is no such unit");
  const auto directory = services.directory->get();
  const auto* unit = directory ? directory->find_unit(*id) : nullptr;
  if (unit == nullptr) throw busy(); // memory is being loaded
  preview shown;
  shown.reasons =
      reasons_to_withhold(*directory, *unit, on, platform, domain::has_usable_rent(stored.first->terms));
  actors::read_listing partial{platform};
  const auto listing = co_await actors::ask(unit->calendar, std::move(partial));
  if (shown.reasons.empty()) shown.partial = listing.json;
  // Full feeds also show units without a link, under their UUIDs.
  const bool may_be_full = std::ranges::all_of(
      shown.reasons, [](const publication_reason& each) { return each.code == "not_linked"; });
  if (may_be_full && domain::traits_of(on).full_feed != domain::marketplace::none && stored.second) {
    actors::read_listing full{platform, stored.second};
    const auto whole = co_await actors::ask(unit->calendar, std::move(full));
    shown.full = whole.json;
    for (std::size_t i = 0; i < gap_reasons.size(); ++i)
      if (whole.gaps.test(i)) shown.gaps.push_back(gap_reasons[i]);
  }
  co_return json(200, json::text_of(preview_object, shown));
}

const operation preview_operation{
    .id = "previewUnit",
    .summary = "Returns what a platform reads of a unit now, or every reason why it does not",
    .responses = {{200, "The unit in both feeds, and why it is missing in one", "UnitPreview"},
                  {403, "The role lacks channels.view", "Error"},
                  {404, "There is no such unit or platform", "Error", false, {}, "There is no such unit"}}};

} // namespace

std::vector<route> preview_routes(const office_services& services) {
  return routes_for(services, {{"GET", "/api/units/{unitId}/preview/{platform}", body_policy::none,
                                "channels.view", show_preview, &preview_operation}});
}

void add_preview_schemas(json::schemas& to) { to.add(preview_object); }

} // namespace roost::http
