#include "store/engine/property_creations.hpp"

#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/change.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/portfolio_rows.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <array>

namespace roost::store {

namespace {

/// Counting the change writes the account's row. It is not waited for: whoever has it may be a long import,
/// and the lease, which this transaction holds too, must not be kept from its renewal.
constexpr query hold_account{"hold_account",
                             "select 1 from accounts where id = :account for no key update nowait", 1,
                             "select 1 from accounts where id = :account"};

constexpr query created_earlier{
    "created_earlier",
    "select id, internal_name, type, street, floor, cleaning_fee_enabled, cleaning_fee_cents, "
    "cleaning_fee_frequency,"
    " contract_type, payment_terms, part_month, created_at, updated_at from properties"
    " where account_id = :account and origin_platform = :platform and origin_id = :origin and not archived"
    " order by created_at desc, id desc limit 1",
    13};

constexpr query names_in_use{
    "names_in_use",
    "select internal_name from units where account_id = :account and internal_name in {names text}", 1};

constexpr query ids_in_use{
    "ids_in_use",
    "select external_id from links where account_id = :account and platform = :platform"
    " and external_id in {ids text} limit 1",
    1};

constexpr query write_origin{
    "write_origin",
    "update properties set origin_platform = :platform, origin_id = :origin, contract_type = :contract,"
    " payment_terms = :due, part_month = :part_month where id = :id"};

std::optional<domain::property> find_property(session& db, const property_creation& of) {
  std::optional<domain::property> found;
  db.internals().read(created_earlier,
                      {{"account", to_cell(of.owner->id)},
                       {"platform", to_cell(of.platform)},
                       {"origin", to_cell(of.wanted.id)}},
                      [&](row& r) {
                        auto& property = found.emplace();
                        property.id = r.id();
                        property.account_id = of.owner->id;
                        property.internal_name = r.text();
                        property.type = parse_property_type(r.text());
                        property.address.street = r.text();
                        property.address.floor = r.text();
                        property.cleaning_fee.enabled = r.flag();
                        property.cleaning_fee.value = r.amount();
                        property.cleaning_fee.frequency = r.text();
                        property.contract_type = r.optional_text();
                        if (const auto due = r.optional_text())
                          read_json(*due, property.payment_terms.emplace());
                        property.part_month = parse_part_month(r.text());
                        property.created_at = r.moment();
                        property.updated_at = r.moment();
                      });
  return found;
}

bool is_linked_already(session& db, const property_creation& of) {
  std::vector<std::string> ids;
  for (const auto& room : of.wanted.rooms) ids.push_back(domain::external_id_of(of.wanted, room));
  bool found = false;
  db.internals().read(ids_in_use,
                      {{"account", to_cell(of.owner->id)},
                       {"platform", to_cell(of.platform)},
                       {"ids", db.internals().list(ids)}},
                      [&](row& r) { found = !r.text().empty(); });
  return found;
}

std::set<std::string> taken_names(session& db, const property_creation& of) {
  std::vector<std::string> names;
  for (const auto& room : of.wanted.rooms) names.push_back(domain::internal_name_of(of.wanted, room));
  std::set<std::string> taken;
  db.internals().read(names_in_use,
                      {{"account", to_cell(of.owner->id)}, {"names", db.internals().list(names)}},
                      [&](row& r) { taken.insert(r.text()); });
  return taken;
}

void write_property(session& db, const property_creation& of, const domain::property& property) {
  bulk_writer rows(db, tables::properties, bulk_mode::insert);
  add_property(rows, property, of.owner->id, of.now);
  rows.finish();
  db.internals().write(write_origin, {{"id", to_cell(property.id)},
                                      {"platform", to_cell(of.platform)},
                                      {"origin", to_cell(of.wanted.id)},
                                      {"contract", to_cell(property.contract_type)},
                                      {"due", json_of(*property.payment_terms)},
                                      {"part_month", to_cell(domain::to_string(property.part_month))}});
}

void write_units(session& db, const property_creation& of, const std::vector<domain::created_unit>& units) {
  bulk_writer rows(db, tables::units, bulk_mode::insert), links(db, tables::links, bulk_mode::insert);
  for (const auto& [terms, external_id] : units) {
    add_unit(rows, terms, {}, {of.owner->id, terms.property_id, terms.internal_name, of.now});
    links.add(terms.id, of.platform, of.owner->id, external_id, cell{});
  }
  rows.finish();
  links.finish();
}

void write_messages(session& db, const landlord_messages& told) {
  message_rows rows;
  if (told.notification) rows.add(*told.notification);
  for (const auto& mail : told.mails) rows.add(mail);
  insert(db, rows);
}

} // namespace

creation_outcome create_property(session& db, const lease& held, const property_creation& creation) {
  const auto& wanted = creation.wanted;
  write_transaction within(db, held);
  db.internals().read(hold_account, {{"account", to_cell(creation.owner->id)}}, [](row& r) { r.integer(); });
  creation_outcome outcome;
  outcome.created.linked_already = is_linked_already(db, creation);
  if (outcome.created.linked_already) return outcome;
  outcome.created.property = find_property(db, creation);
  outcome.created.refused = domain::first_refused(wanted, taken_names(db, creation));
  if (!outcome.created.property) {
    outcome.created.property =
        domain::make_property(wanted, *creation.owner, creation.property_id, creation.now);
    write_property(db, creation, *outcome.created.property);
  }
  const auto count = outcome.created.refused ? outcome.created.refused->room : wanted.rooms.size();
  for (std::size_t i = 0; i < count; ++i)
    outcome.created.units.push_back({domain::make_unit(wanted, wanted.rooms[i], *outcome.created.property,
                                                       creation.unit_ids[i], creation.now),
                                     domain::external_id_of(wanted, wanted.rooms[i])});
  write_units(db, creation, outcome.created.units);
  if (outcome.created.refused) write_messages(db, creation.tell(creation, *outcome.created.refused));
  const std::array accounts{creation.owner->id};
  mark_changed(db, accounts);
  outcome.position = current_position(db);
  within.commit();
  return outcome;
}

} // namespace roost::store
