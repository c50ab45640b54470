#include "actors/bookings/request_units.hpp"

#include "domain/mapping.hpp"
#include "domain/platform.hpp"
#include "store/bookings/former_links.hpp"

#include <algorithm>
#include <utility>

namespace roost::actors {

std::optional<std::size_t> platform_of(const platform_list& platforms,
                                       const domain::booking_request& request) {
  const auto found = std::ranges::find(*platforms, request.platform, &domain::platform::name);
  if (found == platforms->end()) return std::nullopt;
  return static_cast<std::size_t>(found - platforms->begin());
}

namespace {

/// The IDs that a unit could have been linked under for the request to mean it, the better one first.
std::vector<std::string> ids_meant(const domain::platform& on, const domain::booking_request& request) {
  std::vector<std::string> ids{request.external_id};
  if (!domain::traits_of(on).matches_by_property) return ids;
  if (const auto property = domain::property_part(request.external_id)) ids.emplace_back(*property);
  return ids;
}

/// The last one that it belonged to.
std::optional<domain::uuid> landlord_in(const std::vector<store::former_link>& links,
                                        const std::string& platform, const std::vector<std::string>& ids) {
  for (const auto& id : ids) {
    const auto last = std::find_if(links.rbegin(), links.rend(), [&](const store::former_link& link) {
      return link.platform == platform && link.external_id == id;
    });
    if (last != links.rend()) return last->account_id;
  }
  return std::nullopt;
}

directory::candidates units_of(const directory& in, const platform_list& platforms,
                               const domain::booking_request& request) {
  const auto platform = platform_of(platforms, request);
  if (!platform) return {};
  if (!request.unit_id) return in.find_all_on(*platform, request.external_id);
  const auto* unit = in.find_unit(*request.unit_id);
  return unit ? directory::candidates{unit} : directory::candidates{};
}

} // namespace

std::vector<meant_request> meanings_of(store::session& db, const directory& in,
                                       const platform_list& platforms,
                                       std::vector<store::pending_request> requests) {
  struct unknown {
    store::pending_request* request;
    std::vector<std::string> ids;
  };
  std::vector<meant_request> meant;
  meant.reserve(requests.size());
  std::vector<unknown> all;
  std::vector<std::string> ids;
  for (auto& each : requests) {
    const auto pending = std::make_shared<store::pending_request>(std::move(each));
    meant.push_back({pending, units_of(in, platforms, pending->request)});
    if (!meant.back().units.empty()) continue;
    const auto platform = platform_of(platforms, pending->request);
    if (!platform) continue;
    all.push_back({pending.get(), ids_meant((*platforms)[*platform], pending->request)});
    ids.insert(ids.end(), all.back().ids.begin(), all.back().ids.end());
  }
  const auto links = store::former_links(db, ids);
  for (const auto& each : all)
    each.request->lately_of = landlord_in(links, each.request->request.platform, each.ids);
  return meant;
}

} // namespace roost::actors
