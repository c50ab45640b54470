#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/description.hpp"
#include "portfolio/unit.hpp"

/// The description of a property (docs/portfolio.md).
namespace roost::portfolio {

inline bool finish_address(reading<domain::address>& at, bool good) {
  const auto& [latitude, longitude] = std::tie(at.to.latitude, at.to.longitude);
  if (!good || latitude.has_value() == longitude.has_value()) return good;
  return at.in.refuse_member(latitude ? "longitude" : "latitude", "is required beside the other one");
}

inline constexpr auto address_object =
    record<domain::address>(
        field("street", kind::detail, &domain::address::street, "", optional),
        field("number", kind::detail, &domain::address::number, "", optional),
        field("floor", kind::detail, &domain::address::floor, "", optional),
        field("postalCode", kind::detail, &domain::address::postal_code, "", optional),
        field("city", kind::detail, &domain::address::city,
              "Marketplace D compares it with its accepted regions", optional),
        field("region", kind::detail, &domain::address::region, "", optional),
        field("neighborhood", kind::detail, &domain::address::neighborhood, "", optional),
        field("countryCode", kind::country, &domain::address::country_code, "ISO 3166-1", optional),
        field("latitude", kind::degrees{90}, &domain::address::latitude, "Together with the longitude",
              optional),
        field("longitude", kind::degrees{180}, &domain::address::longitude, "Together with the latitude",
              optional))
        .finished_by(finish_address);

inline constexpr auto cleaning_fee_object = record<domain::cleaning_fee>(
    field("enabled", kind::flag, &domain::cleaning_fee::enabled, "", optional),
    field("value", kind::amount, &domain::cleaning_fee::value, "", optional),
    field("frequency", kind::text{.longest = 64}, &domain::cleaning_fee::frequency, "", optional));

/// Real landlords rent out a whole property next to its rooms and beds, but not twice.
inline constexpr checked_by has_one_whole_unit{
    [](reading<domain::portfolio_property>& at, const std::vector<domain::portfolio_unit>& units) {
      bool has_whole = false, good = true;
      for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].terms.kind != domain::unit_kind::property) continue;
        if (has_whole) good = at.in.refuse_element(i, "is a second unit of kind property");
        has_whole = true;
      }
      return good;
    }};

/// Units may stand before the id that they carry as well.
inline void begin_property(reading<domain::portfolio_property>& at) {
  auto& file = at.in.file();
  file.property = domain::parse_uuid(at.in.peek_text("id")).value_or(domain::uuid{});
  at.to.details.account_id = file.account;
}

template <auto Member>
inline constexpr path<&domain::portfolio_property::details, Member> property_detail;

inline constexpr auto property_object =
    record<domain::portfolio_property>(
        field("id", kind::id, property_detail<&domain::property::id>, "", unique_in<&uniqueness::properties>),
        field("internalName", kind::name, property_detail<&domain::property::internal_name>, ""),
        field("ownerId", kind::id, property_detail<&domain::property::owner_id>,
              "The owner of the property; users of the role Owner are tied to one", optional),
        field("type", kind::choice{domain::property_type_names}, property_detail<&domain::property::type>, "",
              optional),
        object_field("address", address_object, property_detail<&domain::property::address>, "", optional),
        object_field("cleaningFee", cleaning_fee_object, property_detail<&domain::property::cleaning_fee>, "",
                     optional),
        field("partnerCurrency", kind::currency, property_detail<&domain::property::partner_currency>,
              "In place of the account's currency on marketplaces A and B", optional),
        field("monthlyBills", kind::amount, property_detail<&domain::property::monthly_bills>,
              "A cost on marketplace B", optional),
        field("membershipFee", kind::amount, property_detail<&domain::property::membership_fee>,
              "A cost on marketplace B", optional),
        field("parking", kind::amount, property_detail<&domain::property::parking>, "A cost on marketplace B",
              optional),
        field("sizeSquareMetres", kind::size, property_detail<&domain::property::size_square_metres>, "",
              optional),
        field("wifiPassword", kind::detail, property_detail<&domain::property::wifi_password>,
              "Never published", optional, secret{"wifiPassword"}),
        field("features", kind::labels, property_detail<&domain::property::features>, "", optional),
        field("rules", kind::labels, property_detail<&domain::property::rules>, "", optional),
        field("description", kind::localized{kind::long_text},
              property_detail<&domain::property::description>, "By language", optional),
        list_field("images", image_object, property_detail<&domain::property::images>, "", optional),
        field("archived", kind::flag, property_detail<&domain::property::archived>,
              "Takes all units of the property out of the feeds", optional),
        list_field("units", unit_object, &domain::portfolio_property::units,
                   "At most one of kind `property`; rooms and beds may be next to it", optional, apart,
                   has_one_whole_unit))
        .begun_by(begin_property)
        .in_lines();

} // namespace roost::portfolio
