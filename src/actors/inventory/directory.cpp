#include "actors/inventory/directory.hpp"

#include "domain/lower_case.hpp"
#include "domain/platform_traits.hpp"

#include <algorithm>
#include <tuple>

namespace roost::actors {

namespace {

/// What a whole property's link says of a room of it: the part before the underscore.
std::optional<std::string_view> property_part(std::string_view external_id) {
  const auto separator = external_id.find('_');
  if (separator == std::string_view::npos) return std::nullopt;
  return external_id.substr(0, separator);
}

} // namespace

std::string_view linked_id(const directory_unit& unit, std::size_t platform) {
  const auto& links = unit.setup->links;
  const auto link = std::ranges::find(links, platform, &platform_link::platform);
  return link != links.end() ? std::string_view{link->external_id} : std::string_view{};
}

directory::directory(std::int64_t version, platform_list platforms,
                     std::vector<std::shared_ptr<const directory_account>> accounts)
    : version_(version), platforms_(std::move(platforms)), accounts_(std::move(accounts)),
      shared_ids_(platforms_->size()), on_platform_(platforms_->size()),
      by_integration_email_(platforms_->size()) {
  prepare_links();
  add_landlord_keys();
  std::vector<const directory_unit*> units;
  for (const auto& account : accounts_)
    for (const auto& unit : account->units) units.push_back(&unit);
  std::ranges::sort(units, [](const auto* a, const auto* b) {
    return std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
  });
  by_id_.reserve(units.size());
  for (const auto* unit : units) {
    by_id_.insert(unit);
    for (const auto& link : unit->setup->links) {
      const bool is_first = links_[link.platform].insert(unit).second;
      if (!is_first) shared_ids_[link.platform].insert(link.external_id); // the earlier unit keeps it
      if (!domain::traits_of((*platforms_)[link.platform]).is_single_landlord)
        on_platform_[link.platform].push_back(unit);
    }
    for (std::size_t i = 0; i < platforms_->size(); ++i)
      if ((*platforms_)[i].account == unit->owner->id) on_platform_[i].push_back(unit);
  }
  for (auto& units_on : on_platform_) units_on.shrink_to_fit();
}

void directory::prepare_links() {
  std::vector<std::size_t> counts(platforms_->size());
  for (const auto& account : accounts_)
    for (const auto& unit : account->units)
      for (const auto& link : unit.setup->links) ++counts[link.platform];
  for (std::size_t i = 0; i < counts.size(); ++i) links_.emplace_back(counts[i], link_hash{i}, link_equal{i});
}

void directory::add_landlord_keys() {
  for (const auto& account : accounts_) {
    by_landlord_key_.emplace(account->settings->landlord_key, account.get());
    for (std::size_t i = 0; i < platforms_->size(); ++i) {
      const auto* card = domain::find_card(*account->settings, (*platforms_)[i].name);
      if (card && card->integration_email)
        by_integration_email_[i].emplace(domain::lower_case(*card->integration_email), account.get());
    }
  }
}

const directory_unit* directory::find(std::size_t platform, std::string_view external_id) const {
  const auto& links = links_[platform];
  if (const auto exact = links.find(external_id); exact != links.end()) return *exact;
  if (!domain::traits_of((*platforms_)[platform]).matches_by_property) return nullptr;
  const auto property = property_part(external_id);
  if (!property) return nullptr;
  const auto whole = links.find(*property);
  return whole != links.end() ? *whole : nullptr;
}

const directory_unit* directory::find_on(std::size_t platform, std::string_view external_id) const {
  const auto& wanted = (*platforms_)[platform];
  const auto* unit = find(platform, external_id);
  if (!domain::traits_of(wanted).is_single_landlord) return unit;
  if (!unit) {
    const auto id = domain::parse_uuid(external_id);
    unit = id ? find_unit(*id) : nullptr;
  }
  return unit && wanted.account == unit->owner->id ? unit : nullptr;
}

const directory_unit* directory::find_unit(const domain::uuid& id) const {
  const auto unit = by_id_.find(id);
  return unit != by_id_.end() ? *unit : nullptr;
}

const directory_account* directory::find_account(const domain::uuid& id) const {
  const auto found = std::ranges::find(accounts_, id, [](const auto& account) { return account->id; });
  return found != accounts_.end() ? found->get() : nullptr;
}

std::vector<const directory_account*> directory::accounts_for(std::size_t platform,
                                                              std::string_view landlord_key) const {
  if (const auto found = by_landlord_key_.find(landlord_key); found != by_landlord_key_.end())
    return {found->second};
  std::vector<const directory_account*> accounts;
  const auto [first, last] = by_integration_email_[platform].equal_range(domain::lower_case(landlord_key));
  for (auto each = first; each != last; ++each) accounts.push_back(each->second);
  std::ranges::sort(accounts, {}, &directory_account::id);
  return accounts;
}

const directory_unit* directory::find_of(const std::vector<const directory_account*>& accounts,
                                         std::size_t platform, std::string_view external_id) const {
  const auto is_theirs = [&](const directory_unit* unit) {
    return unit && std::ranges::find(accounts, unit->owner) != accounts.end();
  };
  if (const auto* linked = find(platform, external_id); is_theirs(linked)) return linked;
  if (is_shared(platform, external_id)) // the one that find() returns is another account's
    for (const auto* account : accounts)
      for (const auto& unit : account->units)
        if (is_named(unit, platform, external_id)) return &unit;
  const auto id = domain::parse_uuid(external_id);
  const auto* unit = id ? find_unit(*id) : nullptr;
  return is_theirs(unit) ? unit : nullptr;
}

bool directory::is_named(const directory_unit& unit, std::size_t platform,
                         std::string_view external_id) const {
  const auto linked = linked_id(unit, platform);
  if (linked.empty()) return domain::parse_uuid(external_id) == unit.id;
  if (linked == external_id) return true;
  return domain::traits_of((*platforms_)[platform]).matches_by_property &&
         property_part(external_id) == linked;
}

} // namespace roost::actors
