#include "http/office/platform_state.hpp"

#include "domain/mapping.hpp"
#include "http/office/card_objects.hpp"
#include "http/office/publication_reasons.hpp"

#include <algorithm>
#include <chrono>

namespace roost::http {

namespace {

void count_reasons(unit_counts& counts, const std::vector<publication_reason>& reasons) {
  for (const auto& reason : reasons) {
    auto known = std::ranges::find(counts.reasons, reason.code, &counted_reason::code);
    if (known == counts.reasons.end())
      known = counts.reasons.insert(known, counted_reason{reason.code, reason.text});
    ++known->units;
  }
}

void note_mapping_problem(unit_counts& counts, const actors::directory& directory,
                          const actors::directory_unit& unit, const domain::platform& on,
                          std::size_t platform) {
  const auto id = unit.setup->linked_id(platform);
  if (id.empty()) return;
  const auto note = [&](std::string_view code, std::string_view text) {
    counts.mapping_problems.push_back({unit.id(), unit.setup->terms.internal_name, code, text});
  };
  if (!domain::is_external_id_of(on, id))
    note("invalid_id", "The platform cannot send back the ID that the unit is linked under.");
  if (is_id_used_elsewhere(directory, unit, platform))
    note("id_used_elsewhere",
         "Another unit that is linked under the same ID comes first, and gets the bookings.");
  else if (directory.is_shared(platform, id))
    note("id_shared", "Another landlord's unit is linked under the same ID: webhooks refuse it.");
}

/// Counts the account's units on a platform.
unit_counts count_units(const actors::directory& directory, const actors::directory_account& account,
                        const domain::platform& on, std::size_t platform,
                        const store::unit_id_set& unpriced) {
  unit_counts counts;
  const bool has_all = reads_all_units(on, account.id);
  for (const auto& unit : account.units) {
    if (!has_all && unit.setup->linked_id(platform).empty()) continue;
    const auto reasons = reasons_to_withhold(directory, unit, on, platform, !unpriced.contains(unit.id()));
    ++counts.linked;
    ++(reasons.empty() ? counts.published : counts.withheld);
    count_reasons(counts, reasons);
    note_mapping_problem(counts, directory, unit, on, platform);
  }
  return counts;
}

std::optional<domain::platform_card> find_card(const store::account_platforms& stored,
                                               const std::string& platform) {
  const auto card = std::ranges::find(stored.cards, platform, &domain::platform_card::platform);
  return card != stored.cards.end() ? std::optional(*card) : std::nullopt;
}

void set_age(office_platform& platform, const actors::feed_snapshot& list, domain::timestamp now) {
  const auto age = std::chrono::floor<std::chrono::seconds>(now - list.built_at);
  platform.list_built_at = list.built_at;
  platform.list_age = std::max<std::int64_t>(0, age.count());
}

} // namespace

std::function<std::optional<std::vector<office_platform>>(store::session&)>
read_platforms(const office_services& services, const store::office_scope& scope) {
  return [&services, scope, now = services.management->now()](
             store::session& db) -> std::optional<std::vector<office_platform>> {
    const auto directory = services.directory->get();
    const auto* account = directory ? directory->find_account(scope.account_id) : nullptr;
    if (account == nullptr) return std::nullopt;
    auto stored = store::read_platforms(db, scope, now);
    const auto unpriced = store::units_without_rent(db, scope.account_id);
    std::vector<office_platform> all;
    for (std::size_t i = 0; i < services.configured.platforms.size(); ++i) {
      const auto& on = services.configured.platforms[i];
      office_platform platform{.name = on.name,
                               .card = find_card(stored, on.name),
                               .card_tag = {},
                               .units = count_units(*directory, *account, on, i, unpriced),
                               .activity = stored.activity[on.name],
                               .list_built_at = {},
                               .list_age = {}};
      if (platform.card) platform.card_tag = tag_of(office_card_object, *platform.card);
      if (const auto list = services.lists[i]->get()) set_age(platform, *list, now);
      all.push_back(std::move(platform));
    }
    return all;
  };
}

} // namespace roost::http
