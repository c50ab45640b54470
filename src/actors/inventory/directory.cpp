#include "actors/inventory/directory.hpp"

#include "domain/mapping.hpp"
#include "domain/platform.hpp"
#include "domain/text.hpp"
#include "listings/listing.hpp"

#include <algorithm>
#include <tuple>

namespace roost::actors {

namespace {

bool is_withheld(const directory_unit& unit, std::size_t platform) {
  const auto& setup = *unit.setup;
  return listings::is_withheld(setup.terms, *setup.property, setup.excluded_from[platform]);
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

bool directory::link_rules::before(value a, value b) const {
  const bool is_a = is_withheld(*a, platform), is_b = is_withheld(*b, platform);
  return is_a == is_b ? comes_before(a, b) : is_b;
}

std::optional<std::string> directory::integration_email(const directory_account& account,
                                                        const std::string& platform) {
  const auto* card = domain::find_card(*account.settings, platform);
  if (!card || !card->integration_email) return std::nullopt;
  return domain::folded_case(*card->integration_email);
}

/// Takes accounts out of a directory that nobody else has yet, and puts others in.
class directory::change {
public:
  change(directory& changed, const accounts& removed, const accounts& added)
      : directory_(changed), removed_(removed), added_(added), accounts_(changed.accounts_, added.size()),
        by_id_(changed.by_id_, units_of(added)), by_landlord_key_(changed.by_landlord_key_, added.size()) {}

  void make() {
    for (const auto& account : removed_) {
      accounts_.remove(account);
      by_landlord_key_.remove(account.get());
      for (const auto& unit : account->units) by_id_.remove(&unit);
    }
    for (const auto& account : added_) {
      accounts_.add(account);
      by_landlord_key_.add(account.get());
      for (const auto& unit : account->units) by_id_.add(&unit);
    }
    for (std::size_t platform = 0; platform < directory_.platforms_->size(); ++platform) {
      change_links(platform);
      change_emails(platform);
      change_order(platform);
    }
  }

private:
  static std::size_t units_of(const accounts& all) {
    std::size_t count = 0;
    for (const auto& account : all) count += account->units.size();
    return count;
  }

  static unit_order::units linked_units(const accounts& all, std::size_t platform) {
    unit_order::units linked;
    for (const auto& account : all)
      for (const auto& unit : account->units)
        if (!linked_id(unit, platform).empty()) linked.push_back(&unit);
    return linked;
  }

  /// Those that the platform's list is of.
  unit_order::units listed_units(const accounts& all, std::size_t platform) const {
    const auto& of = (*directory_.platforms_)[platform];
    if (!domain::traits_of(of).is_single_landlord) return linked_units(all, platform);
    unit_order::units listed;
    for (const auto& account : all)
      if (of.account == account->id)
        for (const auto& unit : account->units) listed.push_back(&unit);
    return listed;
  }

  void change_links(std::size_t platform) {
    const auto removed = linked_units(removed_, platform), added = linked_units(added_, platform);
    if (removed.empty() && added.empty()) return;
    sharded_index<link_rules>::editor links(directory_.links_[platform], added.size());
    for (const auto* unit : removed) links.remove(unit);
    for (const auto* unit : added) links.add(unit);
  }

  std::vector<const directory_account*> with_email(const accounts& all, std::size_t platform) const {
    std::vector<const directory_account*> found;
    for (const auto& account : all)
      if (integration_email(*account, (*directory_.platforms_)[platform].name))
        found.push_back(account.get());
    return found;
  }

  void change_emails(std::size_t platform) {
    const auto removed = with_email(removed_, platform), added = with_email(added_, platform);
    if (removed.empty() && added.empty()) return;
    sharded_index<email_rules>::editor emails(directory_.by_integration_email_[platform], added.size());
    for (const auto* account : removed) emails.remove(account);
    for (const auto* account : added) emails.add(account);
  }

  void change_order(std::size_t platform) {
    auto& order = directory_.on_platform_[platform];
    order = order.with(listed_units(removed_, platform), listed_units(added_, platform));
  }

  directory& directory_;
  const accounts& removed_;
  const accounts& added_;
  sharded_index<account_rules>::editor accounts_;
  sharded_index<id_rules>::editor by_id_;
  sharded_index<landlord_key_rules>::editor by_landlord_key_;
};

directory::directory(std::int64_t version, platform_list platforms, const accounts& known)
    : version_(version), platforms_(std::move(platforms)), on_platform_(platforms_->size()) {
  for (std::size_t i = 0; i < platforms_->size(); ++i) {
    links_.emplace_back(link_rules{i});
    by_integration_email_.emplace_back(email_rules{&(*platforms_)[i].name});
  }
  change(*this, {}, known).make();
}

directory directory::with(std::int64_t version, const accounts& changed) const {
  accounts before;
  for (const auto& account : changed)
    if (const auto* known = accounts_.find(account->id)) before.push_back(*known);
  auto made = *this;
  made.version_ = version;
  change(made, before, changed).make();
  return made;
}

void directory::add_linked(candidates& to, std::size_t platform, std::string_view external_id) const {
  links_[platform].for_each(external_id, [&](const auto* unit) {
    to.push_back(unit);
    return true;
  });
}

directory::candidates directory::find_all(std::size_t platform, std::string_view external_id) const {
  candidates found;
  add_linked(found, platform, external_id);
  if (!domain::traits_of((*platforms_)[platform]).matches_by_property) return found;
  const auto property = domain::property_part(external_id);
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
  candidates linked; // of which withheld ones come last
  add_linked(linked, platform, external_id);
  return linked.size() > 1 && !is_withheld(*linked[1], platform);
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
  const auto* found = by_id_.find(id);
  return found ? *found : nullptr;
}

const directory_account* directory::find_account(const domain::uuid& id) const {
  const auto* found = accounts_.find(id);
  return found ? found->get() : nullptr;
}

std::vector<const directory_account*> directory::accounts_for(std::size_t platform,
                                                              std::string_view landlord_key) const {
  if (const auto* keyed = by_landlord_key_.find(landlord_key)) return {*keyed};
  std::vector<const directory_account*> accounts;
  by_integration_email_[platform].for_each(domain::folded_case(landlord_key), [&](const auto* account) {
    accounts.push_back(account);
    return true;
  });
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
         domain::property_part(external_id) == linked;
}

} // namespace roost::actors
