#include "http/office/publication_reasons.hpp"

#include "listings/publication.hpp"

namespace roost::http {

bool reads_all_units(const domain::platform& on, const domain::uuid& account) {
  return domain::traits_of(on).is_single_landlord && on.account == account;
}

std::vector<publication_reason> reasons_to_withhold(const actors::directory& directory,
                                                    const actors::directory_unit& unit,
                                                    const domain::platform& on, std::size_t platform,
                                                    bool has_rent) {
  const auto reason_for = [](listings::data_gap gap) { return gap_reasons[static_cast<std::size_t>(gap)]; };
  std::vector<publication_reason> reasons;
  const auto& setup = *unit.setup;
  const bool is_single_landlord = domain::traits_of(on).is_single_landlord;
  if (is_single_landlord && on.account != unit.owner->id)
    reasons.push_back({"other_landlord", "The platform reads the units of another landlord."});
  if (!is_single_landlord && setup.linked_id(platform).empty())
    reasons.push_back({"not_linked", "It has no link to the platform."});
  if (setup.excluded_from[platform])
    reasons.push_back({"excluded", "It is excluded from the platform's feed."});
  if (setup.terms.archived) reasons.push_back({"archived", "It is archived."});
  if (setup.property->archived) reasons.push_back({"property_archived", "Its property is archived."});
  if (!has_rent) reasons.push_back(reason_for(listings::data_gap::rent));
  if (!listings::accepts_region(on, *setup.property))
    reasons.push_back(reason_for(listings::data_gap::region));
  if (is_id_used_elsewhere(directory, unit, platform))
    reasons.push_back({"id_used_elsewhere", "Another unit that is linked under the same ID comes first."});
  return reasons;
}

bool is_id_used_elsewhere(const actors::directory& directory, const actors::directory_unit& unit,
                          std::size_t platform) {
  const auto id = unit.setup->linked_id(platform);
  const auto* first = id.empty() ? nullptr : directory.find(platform, id);
  return first != nullptr && first->id() != unit.id();
}

} // namespace roost::http
