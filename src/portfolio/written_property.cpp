#include "portfolio/words.hpp"
#include "portfolio/written_members.hpp"

namespace roost::portfolio {

namespace {

written_members address_members(const domain::address& address, defaults mode) {
  member_list to(mode);
  to.put("street", address.street, "");
  to.put("number", address.number, "");
  to.put("floor", address.floor, "");
  to.put("postalCode", address.postal_code, "");
  to.put("city", address.city, "");
  to.put("region", address.region, "");
  to.put("neighborhood", address.neighborhood, "");
  to.put("countryCode", address.country_code, "");
  to.put("latitude", address.latitude, {});
  to.put("longitude", address.longitude, {});
  return to.take();
}

written_members cleaning_members(const domain::cleaning_fee& fee, defaults mode) {
  const domain::cleaning_fee usual;
  member_list to(mode);
  to.put("enabled", fee.enabled, usual.enabled);
  to.put("value", fee.value, usual.value);
  to.put("frequency", fee.frequency, usual.frequency);
  return to.take();
}

} // namespace

written_members members_of(const domain::property& property, defaults mode) {
  const domain::property usual;
  member_list to(mode);
  to.put("id", property.id);
  to.put("internalName", property.internal_name);
  to.put("ownerId", property.owner_id, usual.owner_id);
  to.put("type", word_for(property.type, property_types), word_for(usual.type, property_types));
  to.put_object("address", address_members(property.address, mode));
  to.put_object("cleaningFee", cleaning_members(property.cleaning_fee, mode));
  to.put("partnerCurrency", property.partner_currency, usual.partner_currency);
  to.put("monthlyBills", property.monthly_bills, usual.monthly_bills);
  to.put("membershipFee", property.membership_fee, usual.membership_fee);
  to.put("parking", property.parking, usual.parking);
  to.put("sizeSquareMetres", property.size_square_metres, usual.size_square_metres);
  to.put("wifiPassword", property.wifi_password, usual.wifi_password);
  to.put("features", property.features, {});
  to.put("rules", property.rules, {});
  to.put("description", property.description, {});
  put_images(to, property.images);
  to.put("archived", property.archived, usual.archived);
  return to.take();
}

} // namespace roost::portfolio
