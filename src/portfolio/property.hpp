#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/description.hpp"
#include "portfolio/unit.hpp"

/// The description of a property (docs/portfolio.md).
namespace roost::portfolio::objects {

using domain::address, domain::cleaning_fee, domain::portfolio_property, domain::property;

inline bool finish_address(reading<address>& at) {
  const auto& [latitude, longitude] = std::tie(at.to.latitude, at.to.longitude);
  if (latitude.has_value() == longitude.has_value()) return true;
  return at.in.refuse_member(latitude ? "longitude" : "latitude", "is required with the other one");
}

inline constexpr auto address_object = record<address>(
    {.finish = finish_address}, field("street", kind::detail, &address::street, "", optional),
    field("number", kind::detail, &address::number, "", optional),
    field("floor", kind::detail, &address::floor, "", optional),
    field("postalCode", kind::detail, &address::postal_code, "", optional),
    field("city", kind::detail, &address::city, "Marketplace D compares it with its accepted regions",
          optional),
    field("region", kind::detail, &address::region, "", optional),
    field("neighborhood", kind::detail, &address::neighborhood, "", optional),
    field("countryCode", kind::country, &address::country_code, "ISO 3166-1", optional),
    field("latitude", kind::degrees{90}, &address::latitude, "Together with the longitude", optional),
    field("longitude", kind::degrees{180}, &address::longitude, "Together with the latitude", optional));

inline constexpr auto cleaning_fee_object = record<cleaning_fee>(
    field("enabled", kind::flag, &cleaning_fee::enabled, "", optional),
    field("value", kind::amount, &cleaning_fee::value, "", optional),
    field("frequency", kind::text{.longest = 64}, &cleaning_fee::frequency, "", optional));

/// Real landlords rent out a whole property next to its rooms and beds, but not twice.
inline constexpr checked_by has_one_whole_unit{
    [](reading<portfolio_property>& at, const std::vector<domain::portfolio_unit>& units) {
      bool has_whole = false, good = true;
      for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].terms.kind != domain::unit_kind::property) continue;
        if (has_whole) good = at.in.refuse_element(i, "is a second unit of kind property");
        has_whole = true;
      }
      return good;
    }};

/// Units may precede the id that they refer to.
inline void begin_property(reading<portfolio_property>& at) {
  auto& file = at.in.file();
  file.property = domain::parse_uuid(at.in.peek_text("id")).value_or(domain::uuid{});
  at.to.details.account_id = file.account;
}

template <auto Member>
inline constexpr auto in_property = via(&portfolio_property::details, Member);

inline constexpr auto property_object = record<portfolio_property>(
    {.begin = begin_property, .has_lines = true},
    field("id", kind::id, in_property<&property::id>, "", unique_in<&uniqueness::properties>),
    field("internalName", kind::name, in_property<&property::internal_name>, ""),
    field("ownerId", kind::id, in_property<&property::owner_id>,
          "The owner of the property; users of the role Owner are tied to one", optional),
    field("type", kind::choice{domain::property_type_names}, in_property<&property::type>, "", optional),
    field("address", kind::object{address_object}, in_property<&property::address>, "", optional),
    field("cleaningFee", kind::object{cleaning_fee_object}, in_property<&property::cleaning_fee>, "",
          optional),
    field("partnerCurrency", kind::currency, in_property<&property::partner_currency>,
          "In place of the account's currency on marketplaces A and B", optional),
    field("monthlyBills", kind::amount, in_property<&property::monthly_bills>, "A cost on marketplace B",
          optional),
    field("membershipFee", kind::amount, in_property<&property::membership_fee>, "A cost on marketplace B",
          optional),
    field("parking", kind::amount, in_property<&property::parking>, "A cost on marketplace B", optional),
    field("sizeSquareMetres", kind::size, in_property<&property::size_square_metres>, "", optional),
    field("wifiPassword", kind::detail, in_property<&property::wifi_password>, "Never published", optional,
          secret{"wifiPassword"}),
    field("features", kind::labels, in_property<&property::features>, "", optional),
    field("rules", kind::labels, in_property<&property::rules>, "", optional),
    field("description", kind::localized{kind::long_text}, in_property<&property::description>, "By language",
          optional),
    field("images", kind::list{image_object}, in_property<&property::images>, "", optional),
    field("archived", kind::flag, in_property<&property::archived>,
          "Takes all units of the property out of the feeds", optional),
    field("units", kind::list{unit_object}, &portfolio_property::units,
          "At most one of kind `property`; rooms and beds may be next to it", optional, apart,
          has_one_whole_unit));

} // namespace roost::portfolio::objects
