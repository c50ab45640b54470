#include "store/engine/property_creations.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/portfolio_columns.hpp"
#include "store/portfolio/portfolio_tables.hpp"

namespace roost::store {

namespace {

/// Two creations of an account come one after the other. The row is not waited for: whoever has it may be a
/// long import, and the lease, which this transaction holds too, must not be kept from its renewal.
const selection hold_account{"hold_account",
                             {"select {columns} from accounts where id = :account for no key update nowait",
                              "select {columns} from accounts where id = :account"},
                             named<int>("1")};

const selection created_earlier{
    "created_earlier",
    "select {columns} from properties where account_id = :account and origin_platform = :platform"
    " and origin_id = :origin and not archived order by created_at desc, id desc limit 1",
    columns(property_columns, column("contract_type", &domain::property::contract_type),
            column("payment_terms", &domain::property::payment_terms),
            column("part_month", &domain::property::part_month))};

const selection names_in_use{
    "names_in_use",
    "select {columns} from units where account_id = :account and internal_name in {names text}",
    named<std::string>("internal_name")};

const selection ids_in_use{"ids_in_use",
                           "select {columns} from links where account_id = :account and platform = :platform"
                           " and external_id in {ids text}",
                           named<std::string>("external_id")};

constexpr query write_origin{
    "write_origin",
    "update properties set origin_platform = :platform, origin_id = :origin, contract_type = :contract,"
    " payment_terms = :due, part_month = :part_month where id = :id"};

std::optional<domain::property> find_property(session& db, const property_creation& of) {
  return db.internals().read_one(created_earlier, {{"account", to_cell(of.owner->id)},
                                                   {"platform", to_cell(of.platform)},
                                                   {"origin", to_cell(of.wanted.id)}});
}

/// Of the names and IDs that the rooms would get.
domain::taken_values taken_values_of(session& db, const property_creation& of) {
  std::vector<std::string> names, ids;
  for (const auto& room : of.wanted.rooms) {
    names.push_back(domain::internal_name_of(of.wanted, room));
    ids.push_back(domain::external_id_of(of.wanted, room));
  }
  domain::taken_values taken;
  auto& connection = db.internals();
  connection.read(names_in_use, {{"account", to_cell(of.owner->id)}, {"names", connection.list(names)}},
                  [&](std::string&& name) { taken.names.insert(std::move(name)); });
  connection.read(
      ids_in_use,
      {{"account", to_cell(of.owner->id)}, {"platform", to_cell(of.platform)}, {"ids", connection.list(ids)}},
      [&](std::string&& id) { taken.external_ids.insert(std::move(id)); });
  return taken;
}

void write_property(session& db, const property_creation& of, const domain::property& property) {
  insert_row(db, tables::properties, {of.owner->id, &property, of.now});
  db.internals().write(write_origin, {{"id", to_cell(property.id)},
                                      {"platform", to_cell(of.platform)},
                                      {"origin", to_cell(of.wanted.id)},
                                      {"contract", to_cell(property.contract_type)},
                                      {"due", json_of(*property.payment_terms)},
                                      {"part_month", to_cell(domain::to_string(property.part_month))}});
}

void write_units(session& db, const property_creation& of, const std::vector<domain::created_unit>& units) {
  const domain::unit_presentation nothing_shown;
  bulk_writer rows(db, tables::units, bulk_mode::insert);
  bulk_writer links(db, tables::links, bulk_mode::insert);
  for (const auto& [terms, external_id] : units) {
    rows.add({of.owner->id, terms.property_id, terms.internal_name, &terms, &nothing_shown, of.now});
    const domain::link link{of.platform, external_id, {}};
    links.add({terms.id, of.owner->id, &link});
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
  const auto& wanted = creation.request;
  write_transaction txn(db, held);
  refuse_while_importing(db);
  db.internals().read_all(hold_account, {{"account", to_cell(creation.owner->id)}});
  creation_outcome outcome;
  outcome.created.property = find_property(db, creation);
  outcome.created.refused = domain::first_refused(wanted, taken_values_of(db, creation));
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
  if (outcome.created.refused)
    write_messages(db, creation.messages_for_refusal(creation, *outcome.created.refused));
  outcome.change = append(db, {change_kind::account, {creation.owner->id}, {}, {}});
  txn.commit();
  return outcome;
}

} // namespace roost::store
