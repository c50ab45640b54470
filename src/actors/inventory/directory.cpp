#include "actors/inventory/directory.hpp"

#include "domain/email_address.hpp"
#include "domain/mapping.hpp"
#include "domain/platform.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t chunk_size = 512, min_chunk = 128, max_chunk = 1024; // units

bool is_withheld(const directory_unit& unit, std::size_t platform) {
  const auto& setup = *unit.setup;
  return listings::is_withheld(setup.terms, *setup.property, setup.excluded_from[platform]);
}

const directory_unit* first_of(const directory::candidates& matches) {
  return matches.empty() ? nullptr : matches.front();
}

} // namespace

bool directory::link_rules::before(value a, value b) const {
  const bool a_withheld = is_withheld(*a, platform), b_withheld = is_withheld(*b, platform);
  return a_withheld == b_withheld ? comes_before(a, b) : b_withheld;
}

std::optional<std::string> directory::integration_email(const directory_account& account,
                                                        const std::string& platform) {
  const auto* card = domain::find_card(*account.settings, platform);
  if (!card || !card->integration_email) return std::nullopt;
  return domain::email_key(*card->integration_email);
}

/// Removes accounts from a directory that is not shared yet, and adds others.
class directory::change {
public:
  change(directory& changed, const accounts& removed, const accounts& added)
      : directory_(changed), removed_(removed), added_(added), accounts_(changed.accounts_, added.size()),
        by_id_(changed.by_id_, units_of(added)), by_landlord_key_(changed.by_landlord_key_, added.size()) {}

  void apply() {
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
    edit(directory_.by_export_address_, renewed_units(removed_), renewed_units(added_));
    for (std::size_t platform = 0; platform < directory_.platforms_->size(); ++platform) {
      edit(directory_.links_[platform], linked_units(removed_, platform), linked_units(added_, platform));
      edit(directory_.by_integration_email_[platform], with_email(removed_, platform),
           with_email(added_, platform));
      auto& order = directory_.on_platform_[platform];
      order = order.with(listed_units(removed_, platform), listed_units(added_, platform));
    }
  }

private:
  static std::size_t units_of(const accounts& all) {
    std::size_t count = 0;
    for (const auto& account : all) count += account->units.size();
    return count;
  }

  /// Returns the units whose calendar export has an address of its own.
  static unit_order::units renewed_units(const accounts& all) {
    unit_order::units renewed;
    for (const auto& account : all)
      for (const auto& unit : account->units)
        if (unit.setup->terms.export_address) renewed.push_back(&unit);
    return renewed;
  }

  static unit_order::units linked_units(const accounts& all, std::size_t platform) {
    unit_order::units linked;
    for (const auto& account : all)
      for (const auto& unit : account->units)
        if (!unit.setup->linked_id(platform).empty()) linked.push_back(&unit);
    return linked;
  }

  /// Returns the units that the platform's list may contain.
  unit_order::units listed_units(const accounts& all, std::size_t platform) const {
    const auto& settings = (*directory_.platforms_)[platform];
    if (!domain::traits_of(settings).is_single_landlord) return linked_units(all, platform);
    unit_order::units listed;
    for (const auto& account : all)
      if (settings.account == account->id)
        for (const auto& unit : account->units) listed.push_back(&unit);
    return listed;
  }

  template <typename Rules, typename Values>
  static void edit(sharded_index<Rules>& index, const Values& removed, const Values& added) {
    if (removed.empty() && added.empty()) return;
    typename sharded_index<Rules>::editor editor(index, added.size());
    for (const auto& value : removed) editor.remove(value);
    for (const auto& value : added) editor.add(value);
  }

  std::vector<const directory_account*> with_email(const accounts& all, std::size_t platform) const {
    std::vector<const directory_account*> matches;
    for (const auto& account : all)
      if (integration_email(*account, (*directory_.platforms_)[platform].name))
        matches.push_back(account.get());
    return matches;
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
  change(*this, {}, known).apply();
}

directory directory::with(std::int64_t version, const accounts& changed) const {
  accounts before;
  for (const auto& account : changed)
    if (const auto* known = accounts_.find(account->id)) before.push_back(*known);
  auto result = *this;
  result.version_ = version;
  change(result, before, changed).apply();
  return result;
}

void directory::add_linked(candidates& matches, std::size_t platform, std::string_view external_id) const {
  links_[platform].for_each(external_id, [&](const auto* unit) {
    matches.push_back(unit);
    return true;
  });
}

void directory::add_linked_by_property(candidates& matches, std::size_t platform,
                                       std::string_view external_id) const {
  if (!domain::traits_of((*platforms_)[platform]).matches_by_property) return;
  if (const auto property = domain::property_part(external_id)) add_linked(matches, platform, *property);
}

directory::candidates directory::find_all(std::size_t platform, std::string_view external_id) const {
  candidates matches;
  add_linked(matches, platform, external_id);
  if (matches.empty()) add_linked_by_property(matches, platform, external_id);
  return matches;
}

directory::candidates directory::find_all_ever(std::size_t platform, std::string_view external_id) const {
  candidates matches;
  add_linked(matches, platform, external_id);
  add_linked_by_property(matches, platform, external_id);
  return matches;
}

const directory_unit* directory::find(std::size_t platform, std::string_view external_id) const {
  return first_of(find_all(platform, external_id));
}

bool directory::is_shared(std::size_t platform, std::string_view external_id) const {
  candidates linked; // withheld units come last
  add_linked(linked, platform, external_id);
  return linked.size() > 1 && !is_withheld(*linked[1], platform);
}

directory::candidates directory::find_all_on(std::size_t platform, std::string_view external_id) const {
  const auto& settings = (*platforms_)[platform];
  if (!domain::traits_of(settings).is_single_landlord) return find_all(platform, external_id);
  const auto* account = settings.account ? find_account(*settings.account) : nullptr;
  return account ? find_all_of({account}, platform, external_id) : candidates{};
}

const directory_unit* directory::find_on(std::size_t platform, std::string_view external_id) const {
  return first_of(find_all_on(platform, external_id));
}

const directory_unit* directory::find_unit(const domain::uuid& id) const {
  const auto* found = by_id_.find(id);
  return found ? *found : nullptr;
}

const directory_unit* directory::find_exported(const domain::uuid& address) const {
  if (const auto* renewed = by_export_address_.find(address)) return *renewed;
  const auto* unit = find_unit(address);
  return unit && domain::export_address_of(unit->setup->terms) == address ? unit : nullptr;
}

const directory_account* directory::find_account(const domain::uuid& id) const {
  const auto* found = accounts_.find(id);
  return found ? found->get() : nullptr;
}

std::vector<const directory_account*> directory::accounts_for(std::size_t platform,
                                                              std::string_view landlord_key) const {
  if (const auto* keyed = by_landlord_key_.find(landlord_key)) return {*keyed};
  std::vector<const directory_account*> accounts;
  by_integration_email_[platform].for_each(domain::email_key(landlord_key), [&](const auto* account) {
    accounts.push_back(account);
    return true;
  });
  return accounts;
}

directory::candidates directory::find_all_of(const std::vector<const directory_account*>& accounts,
                                             std::size_t platform, std::string_view external_id) const {
  const auto is_foreign = [&](const directory_unit* unit) {
    return std::ranges::find(accounts, unit->owner) == accounts.end();
  };
  auto matches = find_all(platform, external_id);
  matches.erase(std::remove_if(matches.begin(), matches.end(), is_foreign), matches.end());
  if (!matches.empty()) return matches;
  const auto id = domain::parse_uuid(external_id);
  if (const auto* unit = id ? find_unit(*id) : nullptr; unit && !is_foreign(unit)) matches.push_back(unit);
  return matches;
}

const directory_unit* directory::find_of(const std::vector<const directory_account*>& accounts,
                                         std::size_t platform, std::string_view external_id) const {
  return first_of(find_all_of(accounts, platform, external_id));
}

bool directory::is_named(const directory_unit& unit, std::size_t platform,
                         std::string_view external_id) const {
  const auto linked = unit.setup->linked_id(platform);
  if (linked.empty()) return domain::parse_uuid(external_id) == unit.id();
  if (linked == external_id) return true;
  return domain::traits_of((*platforms_)[platform]).matches_by_property &&
         domain::property_part(external_id) == linked && !links_[platform].find(external_id);
}

// Compares owners, too: a unit that moves between accounts is in both until both changes are known.
bool comes_before(const directory_unit* a, const directory_unit* b) {
  return std::tie(a->setup->terms.created_at, a->id(), a->owner->id) <
         std::tie(b->setup->terms.created_at, b->id(), b->owner->id);
}

/// Passes over the chunks once: shares those without changes, and rewrites the others.
class unit_order::change {
public:
  change(units removed, units added) : removed_(std::move(removed)), added_(std::move(added)) {
    std::ranges::sort(removed_, comes_before);
    std::ranges::sort(added_, comes_before);
  }

  unit_order apply_to(const unit_order& before) {
    for (std::size_t i = 0; i < before.chunks_.size(); ++i) {
      const bool is_last = i + 1 == before.chunks_.size();
      add_chunk(before.chunks_[i], is_last ? nullptr : before.chunks_[i + 1]->front());
    }
    if (before.chunks_.empty()) pending_ = std::move(added_);
    flush();
    result_.starts_.push_back(0);
    for (const auto& chunk : result_.chunks_)
      result_.starts_.push_back(result_.starts_.back() + static_cast<std::uint32_t>(chunk->size()));
    return std::move(result_);
  }

private:
  using list = std::span<const directory_unit* const>;

  void add_chunk(const std::shared_ptr<const units>& old, const directory_unit* next) {
    const auto removed = take(removed_, removed_count_, next);
    const auto added = take(added_, added_count_, next);
    const bool is_unchanged = removed.empty() && added.empty();
    if (is_unchanged && (pending_.empty() || pending_.size() >= min_chunk)) {
      flush();
      result_.chunks_.push_back(old);
      return;
    }
    auto kept = *old; // binary search, because each comparison costs a cache miss
    for (const auto* unit : removed) kept.erase(std::ranges::lower_bound(kept, unit, comes_before));
    for (const auto* unit : added) kept.insert(std::ranges::lower_bound(kept, unit, comes_before), unit);
    pending_.insert(pending_.end(), kept.begin(), kept.end());
    if (pending_.size() >= min_chunk) flush();
  }

  /// Returns the remaining units that come before `next`, the start of the next chunk (null: all of them).
  static list take(const units& all, std::size_t& taken, const directory_unit* next) {
    const auto rest = list{all}.subspan(taken);
    auto count = rest.size();
    if (next)
      count = static_cast<std::size_t>(std::ranges::lower_bound(rest, next, comes_before) - rest.begin());
    taken += count;
    return rest.first(count);
  }

  void flush() {
    const list all{pending_};
    const auto pieces = all.size() <= max_chunk ? 1 : (all.size() + chunk_size - 1) / chunk_size;
    for (std::size_t i = 0; i < pieces && !all.empty(); ++i) {
      const auto begin = all.size() * i / pieces, end = all.size() * (i + 1) / pieces;
      const auto piece = all.subspan(begin, end - begin);
      result_.chunks_.push_back(std::make_shared<const units>(piece.begin(), piece.end()));
    }
    pending_.clear();
  }

  units removed_, added_;
  std::size_t removed_count_ = 0, added_count_ = 0; // taken from these
  units pending_;
  unit_order result_;
};

const directory_unit* unit_order::operator[](std::size_t index) const {
  const auto after = std::ranges::upper_bound(starts_, index);
  const auto chunk_number = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return (*chunks_[chunk_number])[index - starts_[chunk_number]];
}

unit_order unit_order::with(units removed, units added) const {
  if (removed.empty() && added.empty()) return *this;
  return change(std::move(removed), std::move(added)).apply_to(*this);
}

} // namespace roost::actors
