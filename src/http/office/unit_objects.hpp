#pragma once

#include "http/office/office_objects.hpp"
#include "portfolio/record_around.hpp"
#include "portfolio/unit.hpp"

/// The description of units in the office. This header is for the .cpp files that hold descriptions.
namespace roost::http {

namespace office_objects {

using domain::portfolio_unit, domain::unit;
using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::objects::term;

inline constexpr auto unit_id =
    field("id", portfolio::kind::id, term<&unit::id>, "The unit's UUID. Clients may choose it", optional);
/// The end of an address after an ellipsis, which is not enough to use it.
struct end_of_address {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  bool read(portfolio::reader&, domain::uuid&) const { return true; }
  void write(std::string& to, const domain::uuid& address) const {
    constexpr std::size_t group = 24; // where the last group of a UUID starts
    portfolio::append_json(to, "…" + domain::to_string(address).substr(group));
  }
};

inline constexpr portfolio::hooks<portfolio_unit> unit_hooks{.check = portfolio::objects::check_unit};

} // namespace office_objects

/// A unit: the members of portfolio files, with its property. Links, exclusions, the export address, blocks
/// and imported calendars have their own routes.
inline constexpr auto office_unit_object = portfolio::record_around<
    portfolio::objects::unit_object, "id", "blocks", "calendars", "links", "excludedFrom", "exportAddress">(
    office_objects::unit_hooks,
    domain::pack_of(office_objects::unit_id,
                    portfolio::field("propertyId", portfolio::kind::id,
                                     portfolio::objects::term<&domain::unit::property_id>,
                                     "A property of the account")),
    domain::pack_of(portfolio::field("links", portfolio::kind::list{portfolio::objects::link_object},
                                     &domain::portfolio_unit::links, "The unit's places on platforms",
                                     portfolio::optional, portfolio::read_only),
                    portfolio::field("excludedFrom", portfolio::kind::platforms,
                                     &domain::portfolio_unit::excluded_from,
                                     "Platforms that exclude the unit from feed and booking",
                                     portfolio::optional, portfolio::read_only),
                    portfolio::field("exportAddressEnd", office_objects::end_of_address{},
                                     portfolio::objects::term<&domain::unit::export_address>,
                                     "… and the end of the calendar export's address; null: the unit's id",
                                     portfolio::optional, portfolio::read_only),
                    portfolio::field("createdAt", portfolio::kind::moment,
                                     portfolio::objects::term<&domain::unit::created_at>, "",
                                     portfolio::optional, portfolio::read_only, untagged),
                    portfolio::field("updatedAt", portfolio::kind::moment,
                                     portfolio::objects::term<&domain::unit::updated_at>, "",
                                     portfolio::optional, portfolio::read_only, untagged)));

/// The part of a kind (resource_routes.hpp) that all routes of units share.
struct described_unit {
  using resource = domain::portfolio_unit;
  static constexpr const auto &object = office_unit_object, &creation = office_unit_object;
  static constexpr const char *noun = "unit", *plural = "units", *path = "/api/units/";
};

/// A unit that is created with its property.
inline constexpr auto nested_unit_object = portfolio::record_around<
    portfolio::objects::unit_object, "id", "blocks", "calendars", "links", "excludedFrom", "exportAddress">(
    office_objects::unit_hooks,
    domain::pack_of(portfolio::field("id", portfolio::kind::id, portfolio::objects::term<&domain::unit::id>,
                                     "The unit's UUID. Clients may choose it", portfolio::optional,
                                     portfolio::unique_in<&portfolio::uniqueness::units>)),
    domain::pack_of());

} // namespace roost::http
