#include "store/portfolio/presentations.hpp"

#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

constexpr query shown_properties{
    "shown_properties",
    "select id, account_id, internal_name, type, street, house_number, floor, postal_code, city, region,"
    " neighborhood, country_code, latitude, longitude, partner_currency, cleaning_fee_enabled,"
    " cleaning_fee_cents, cleaning_fee_frequency, monthly_bills_cents, membership_fee_cents, parking_cents,"
    " size_square_metres, features, rules, description, images, archived, created_at, updated_at"
    " from properties where id in (select property_id from units where id in {units uuid})",
    29};

constexpr query shown_units{"shown_units",
                            "select id, property_id, size_square_metres, floor, min_age, max_age,"
                            " registration_number, features, title, description, images"
                            " from units where id in {units uuid}",
                            11};

constexpr query shown_links{"shown_links",
                            "select unit_id, url from links where platform = :platform and url is not null "
                            "and unit_id in {units uuid}",
                            2};

std::shared_ptr<domain::property> read_property(row& r) {
  auto read = std::make_shared<domain::property>();
  auto& property = *read;
  property.id = r.id();
  property.account_id = r.id();
  property.internal_name = r.text();
  property.type = parse_property_type(r.text());
  for (auto* part : {&property.address.street, &property.address.number, &property.address.floor,
                     &property.address.postal_code, &property.address.city, &property.address.region,
                     &property.address.neighborhood, &property.address.country_code})
    *part = r.text();
  property.address.latitude = r.optional_real();
  property.address.longitude = r.optional_real();
  property.partner_currency = r.optional_text();
  property.cleaning_fee.enabled = r.flag();
  property.cleaning_fee.value = r.amount();
  property.cleaning_fee.frequency = r.text();
  property.monthly_bills = r.optional_amount();
  property.membership_fee = r.optional_amount();
  property.parking = r.optional_amount();
  property.size_square_metres = r.optional_integer();
  read_json(r.text(), property.features);
  read_json(r.text(), property.rules);
  read_json(r.text(), property.description);
  read_json(r.text(), property.images);
  property.archived = r.flag();
  property.created_at = r.moment();
  property.updated_at = r.moment();
  return read;
}

domain::unit_presentation read_unit_presentation(row& r) {
  domain::unit_presentation unit;
  unit.size_square_metres = r.optional_integer();
  unit.floor = r.optional_text();
  unit.min_age = r.optional_integer();
  unit.max_age = r.optional_integer();
  unit.registration_number = r.optional_text();
  read_json(r.text(), unit.features);
  read_json(r.text(), unit.title);
  read_json(r.text(), unit.description);
  read_json(r.text(), unit.images);
  return unit;
}

} // namespace

std::unordered_map<domain::uuid, presentation, domain::uuid_hash>
presentations(session& db, std::span<const domain::uuid> units, std::string_view platform) {
  transaction within(db, transaction::purpose::read);
  auto& connection = db.internals();
  const auto ids = connection.list(units);
  std::unordered_map<domain::uuid, std::shared_ptr<const domain::property>, domain::uuid_hash> properties;
  connection.read(shown_properties, {{"units", ids}}, [&](row& r) {
    auto property = read_property(r);
    properties.emplace(property->id, std::move(property));
  });
  std::unordered_map<domain::uuid, presentation, domain::uuid_hash> found;
  connection.read(shown_units, {{"units", ids}}, [&](row& r) {
    const auto id = r.id(), property = r.id();
    found[id] = {properties.at(property), read_unit_presentation(r), {}};
  });
  connection.read(shown_links, {{"platform", to_cell(platform)}, {"units", ids}}, [&](row& r) {
    const auto id = r.id();
    auto url = r.text();
    if (const auto unit = found.find(id); unit != found.end()) unit->second.link_url = std::move(url);
  });
  within.commit();
  return found;
}

} // namespace roost::store
