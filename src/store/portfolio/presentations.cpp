#include "store/portfolio/presentations.hpp"

#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_columns.hpp"

namespace roost::store {

namespace {

struct shown_unit {
  domain::uuid id{}, property_id{};
  domain::unit_presentation shown;
};

const selection shown_properties{
    "shown_properties",
    "select {columns} from properties where id in (select property_id from units where id in {units uuid})",
    property_columns};

const selection shown_units{"shown_units", "select {columns} from units where id in {units uuid}",
                            columns(column("id", &shown_unit::id),
                                    column("property_id", &shown_unit::property_id),
                                    nested(&shown_unit::shown, unit_presentation_columns))};

const selection shown_links{
    "shown_links",
    "select {columns} from links where platform = :platform and url is not null and unit_id in {units uuid}",
    named<domain::uuid>("unit_id"), named<std::string>("url")};

} // namespace

std::unordered_map<domain::uuid, presentation, domain::uuid_hash>
presentations(session& db, std::span<const domain::uuid> units, std::string_view platform) {
  transaction txn(db, transaction::purpose::read);
  refuse_while_importing(db);
  auto& connection = db.internals();
  const auto ids = connection.list(units);
  std::unordered_map<domain::uuid, std::shared_ptr<const domain::property>, domain::uuid_hash> properties;
  connection.read(shown_properties, {{"units", ids}}, [&](domain::property&& property) {
    const auto id = property.id;
    properties.emplace(id, std::make_shared<const domain::property>(std::move(property)));
  });
  std::unordered_map<domain::uuid, presentation, domain::uuid_hash> found;
  connection.read(shown_units, {{"units", ids}}, [&](shown_unit&& unit) {
    found[unit.id] = {properties.at(unit.property_id), std::move(unit.shown), {}};
  });
  connection.read(shown_links, {{"platform", to_cell(platform)}, {"units", ids}},
                  [&](const domain::uuid& id, std::string&& url) {
                    if (const auto unit = found.find(id); unit != found.end())
                      unit->second.link_url = std::move(url);
                  });
  txn.commit();
  return found;
}

} // namespace roost::store
