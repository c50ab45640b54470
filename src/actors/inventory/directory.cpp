#include "actors/inventory/directory.hpp"

#include "domain/case_folding.hpp"
#include "domain/listing.hpp"
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

const directory_unit* first_of(const directory::candidates& found) {
  return found.empty() ? nullptr : found.front();
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
      others_(platforms_->size()), on_platform_(platforms_->size()),
      by_integration_email_(platforms_->size()) {
  std::ranges::sort(accounts_, {}, [](const auto& account) { return account->id; });
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
      add_link(*unit, link.platform);
      if (!domain::traits_of((*platforms_)[link.platform]).is_single_landlord)
        on_platform_[link.platform].push_back(unit);
    }
    for (std::size_t i = 0; i < platforms_->size(); ++i)
      if ((*platforms_)[i].account == unit->owner->id) on_platform_[i].push_back(unit);
  }
  for (auto& units_on : on_platform_) units_on.shrink_to_fit();
  for (std::size_t i = 0; i < others_.size(); ++i)
    std::ranges::sort(others_[i], {}, [this, i](const directory_unit* unit) {
      return std::tuple(linked_id(*unit, i), is_withheld(*unit, i), unit->created_at, unit->id);
    });
}

bool directory::is_withheld(const directory_unit& unit, std::size_t platform) const {
  const auto& setup = *unit.setup;
  return domain::is_withheld(setup.terms, *setup.property, setup.excluded_from[platform]);
}

/// Units come in the order in which they were made: the earlier one keeps its ID unless it is withheld.
void directory::add_link(const directory_unit& unit, std::size_t platform) {
  auto& links = links_[platform];
  const auto [meant, is_only] = links.insert(&unit);
  if (is_only) return;
  const auto* other = &unit;
  if (is_withheld(**meant, platform) && !is_withheld(unit, platform)) {
    other = *meant;
    links.erase(meant);
    links.insert(&unit);
  }
  others_[platform].push_back(other);
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
        by_integration_email_[i].emplace(domain::folded_case(*card->integration_email), account.get());
    }
  }
}

std::span<const directory_unit* const> directory::others_under(std::size_t platform,
                                                               std::string_view external_id) const {
  const auto& others = others_[platform];
  const auto id_of = [platform](const directory_unit* unit) { return linked_id(*unit, platform); };
  return {std::ranges::lower_bound(others, external_id, {}, id_of),
          std::ranges::upper_bound(others, external_id, {}, id_of)};
}

void directory::add_linked(candidates& to, std::size_t platform, std::string_view external_id) const {
  const auto& links = links_[platform];
  const auto meant = links.find(external_id);
  if (meant == links.end()) return;
  to.push_back(*meant);
  const auto others = others_under(platform, external_id);
  to.insert(to.end(), others.begin(), others.end());
}

directory::candidates directory::find_all(std::size_t platform, std::string_view external_id) const {
  candidates found;
  add_linked(found, platform, external_id);
  if (!domain::traits_of((*platforms_)[platform]).matches_by_property) return found;
  const auto property = property_part(external_id);
  if (!property) return found;
  add_linked(found, platform, *property);
  std::stable_partition(found.begin(), found.end(),
                        [&](const auto* unit) { return !is_withheld(*unit, platform); });
  return found;
}

const directory_unit* directory::find(std::size_t platform, std::string_view external_id) const {
  return first_of(find_all(platform, external_id));
}

bool directory::is_shared(std::size_t platform, std::string_view external_id) const {
  const auto others = others_under(platform, external_id); // of which withheld ones come last
  return !others.empty() && !is_withheld(*others.front(), platform);
}

directory::candidates directory::find_all_on(std::size_t platform, std::string_view external_id) const {
  const auto& wanted = (*platforms_)[platform];
  if (!domain::traits_of(wanted).is_single_landlord) return find_all(platform, external_id);
  const auto* account = wanted.account ? find_account(*wanted.account) : nullptr;
  return account ? find_all_of({account}, platform, external_id) : candidates{};
}

const directory_unit* directory::find_on(std::size_t platform, std::string_view external_id) const {
  return first_of(find_all_on(platform, external_id));
}

const directory_unit* directory::find_unit(const domain::uuid& id) const {
  const auto unit = by_id_.find(id);
  return unit != by_id_.end() ? *unit : nullptr;
}

const directory_account* directory::find_account(const domain::uuid& id) const {
  const auto found =
      std::ranges::lower_bound(accounts_, id, {}, [](const auto& account) { return account->id; });
  return found != accounts_.end() && (*found)->id == id ? found->get() : nullptr;
}

std::vector<const directory_account*> directory::accounts_for(std::size_t platform,
                                                              std::string_view landlord_key) const {
  if (const auto found = by_landlord_key_.find(landlord_key); found != by_landlord_key_.end())
    return {found->second};
  std::vector<const directory_account*> accounts;
  const auto [first, last] = by_integration_email_[platform].equal_range(domain::folded_case(landlord_key));
  for (auto each = first; each != last; ++each) accounts.push_back(each->second);
  std::ranges::sort(accounts, {}, &directory_account::id);
  return accounts;
}

directory::candidates directory::find_all_of(const std::vector<const directory_account*>& accounts,
                                             std::size_t platform, std::string_view external_id) const {
  const auto is_anothers = [&](const directory_unit* unit) {
    return std::ranges::find(accounts, unit->owner) == accounts.end();
  };
  auto found = find_all(platform, external_id);
  found.erase(std::remove_if(found.begin(), found.end(), is_anothers), found.end());
  if (!found.empty()) return found;
  const auto id = domain::parse_uuid(external_id);
  if (const auto* unit = id ? find_unit(*id) : nullptr; unit && !is_anothers(unit)) found.push_back(unit);
  return found;
}

const directory_unit* directory::find_of(const std::vector<const directory_account*>& accounts,
                                         std::size_t platform, std::string_view external_id) const {
  return first_of(find_all_of(accounts, platform, external_id));
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
