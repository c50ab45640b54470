#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"
#include "portfolio/words.hpp"

namespace roost::portfolio {

namespace {

constexpr text_rule frequency_rule{.longest = 64};

bool read_address(reader& in, domain::address& to) {
  const auto detail = [&](std::string& text) { return [&] { return read_text(in, text, detail_rule); }; };
  const auto degrees = [&](std::optional<double>& angle, double limit) {
    return in.nullable(angle, [&](double& value) { return read_degrees(in, value, limit); });
  };
  const bool good = in.object({
      optional("street", detail(to.street)),
      optional("number", detail(to.number)),
      optional("floor", detail(to.floor)),
      optional("postalCode", detail(to.postal_code)),
      optional("city", detail(to.city)),
      optional("region", detail(to.region)),
      optional("neighborhood", detail(to.neighborhood)),
      optional("countryCode", [&] { return read_country(in, to.country_code); }),
      optional("latitude", [&] { return degrees(to.latitude, 90); }),
      optional("longitude", [&] { return degrees(to.longitude, 180); }),
  });
  if (good && to.latitude.has_value() != to.longitude.has_value())
    return in.refuse_member(to.latitude ? "longitude" : "latitude", "is required beside the other one");
  return good;
}

bool read_cleaning_fee(reader& in, domain::cleaning_fee& to) {
  return in.object({
      optional("enabled", [&] { return read_boolean(in, to.enabled); }),
      optional("value", [&] { return read_amount(in, to.value); }),
      optional("frequency", [&] { return read_text(in, to.frequency, frequency_rule); }),
  });
}

/// One whole-property unit may stand beside rooms and beds, which real landlords rent out both ways.
bool check_whole_units(reader& in, const std::vector<domain::portfolio_unit>& units) {
  bool found = false, good = true;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].terms.kind != domain::unit_kind::property) continue;
    if (found) good = in.refuse_element(i, "is a second unit of kind property");
    found = true;
  }
  return good;
}

bool read_units(reader& in, file_scope& file, domain::portfolio_property& to) {
  const auto read_one = [&](auto& unit) { return read_unit(in, file, to.details, unit); };
  const bool good = in.list(to.units, read_one);
  return check_whole_units(in, to.units) && good;
}

} // namespace

bool read_property(reader& in, file_scope& file, const domain::uuid& account,
                   domain::portfolio_property& to) {
  auto& property = to.details;
  property.account_id = account;
  // Units may stand before the id that they carry too.
  property.id = domain::parse_uuid(in.peek_text("id")).value_or(domain::uuid{});
  const auto cost = [&](std::optional<domain::money>& amount) {
    return in.nullable(amount, [&](domain::money& value) { return read_amount(in, value); });
  };
  const auto read_size = [&](int& metres) { return read_integer(in, metres, 1, 1'000'000); };
  const auto read_currency_code = [&](std::string& code) { return read_currency(in, code); };
  const auto read_owner = [&](domain::uuid& id) { return read_id(in, id); };
  const auto read_wifi_password = [&](std::string& text) { return read_text(in, text, detail_rule); };
  return in.object({
      required("id",
               [&] { return read_id(in, property.id) && file.unique.properties.claim(in, property.id); }),
      required("internalName", [&] { return read_text(in, property.internal_name); }),
      optional("ownerId", [&] { return in.nullable(property.owner_id, read_owner); }),
      optional("type", [&] { return read_choice(in, property.type, property_types); }),
      optional("address", [&] { return read_address(in, property.address); }),
      optional("partnerCurrency", [&] { return in.nullable(property.partner_currency, read_currency_code); }),
      optional("cleaningFee", [&] { return read_cleaning_fee(in, property.cleaning_fee); }),
      optional("monthlyBills", [&] { return cost(property.monthly_bills); }),
      optional("membershipFee", [&] { return cost(property.membership_fee); }),
      optional("parking", [&] { return cost(property.parking); }),
      optional("sizeSquareMetres", [&] { return in.nullable(property.size_square_metres, read_size); }),
      optional("wifiPassword", [&] { return in.nullable(property.wifi_password, read_wifi_password); }),
      optional("features", [&] { return read_labels(in, property.features); }),
      optional("rules", [&] { return read_labels(in, property.rules); }),
      optional("description", [&] { return read_localized(in, property.description, description_rule); }),
      optional("images", [&] { return read_images(in, property.images); }),
      optional("archived", [&] { return read_boolean(in, property.archived); }),
      optional("units", [&] { return read_units(in, file, to); }),
  });
}

} // namespace roost::portfolio
