#include "store/engine/property_creations.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/portfolio/portfolio_tables.hpp"

namespace roost::store {

namespace {

/// Serializes creations of one account by locking its row; skips it if it is locked already: the holder may
/// be a long import, and this transaction also locks the lease, whose renewal must not be delayed.
const selection owner_lock{
    "lock_account", "select {columns} from accounts where id = :account {for no key update skip locked}",
    named<int>("1")};

const selection existing_property{
    "existing_property",
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

std::optional<domain::property> find_property(session& db, const property_creation& creation) {
  return db.internals().read_one(
      existing_property,
      {{"account", creation.owner->id}, {"platform", creation.platform}, {"origin", creation.request.id}});
}

/// Returns those of the rooms' names and IDs that are already in use.
domain::taken_values taken_values_of(session& db, const property_creation& creation) {
  std::vector<std::string> names, ids;
  for (const auto& room : creation.request.rooms) {
    names.push_back(domain::internal_name_of(creation.request, room));
    ids.push_back(domain::external_id_of(creation.request, room));
  }
  domain::taken_values taken;
  auto& connection = db.internals();
  connection.read(names_in_use, {{"account", creation.owner->id}, {"names", connection.list(names)}},
                  [&](std::string&& name) { taken.names.insert(std::move(name)); });
  connection.read(
      ids_in_use,
      {{"account", creation.owner->id}, {"platform", creation.platform}, {"ids", connection.list(ids)}},
      [&](std::string&& id) { taken.external_ids.insert(std::move(id)); });
  return taken;
}

void write_property(session& db, const property_creation& creation, const domain::property& property) {
  insert_row(db, tables::properties, {creation.owner->id, &property, creation.now});
  db.internals().write(write_origin, {{"id", property.id},
                                      {"platform", creation.platform},
                                      {"origin", creation.request.id},
                                      {"contract", property.contract_type},
                                      {"due", json_of(*property.payment_terms)},
                                      {"part_month", domain::to_string(property.part_month)}});
}

void write_units(session& db, const property_creation& creation,
                 const std::vector<domain::created_unit>& units) {
  const domain::unit_presentation no_presentation;
  bulk_writer rows(db, tables::units, bulk_mode::insert);
  bulk_writer links(db, tables::links, bulk_mode::insert);
  for (const auto& [terms, external_id] : units) {
    rows.add(
        {creation.owner->id, terms.property_id, terms.internal_name, &terms, &no_presentation, creation.now});
    const domain::link link{creation.platform, external_id, {}};
    links.add({terms.id, creation.owner->id, &link});
  }
  rows.finish();
  links.finish();
}

void add_messages(message_rows& to, const landlord_messages& messages) {
  if (messages.notification) to.add(*messages.notification);
  for (const auto& mail : messages.mails) to.add(mail);
}

/// Writes the property and its units, and adds the messages about a refused room.
domain::created_property write_creation(session& db, const property_creation& creation,
                                        message_rows& messages) {
  const auto& request = creation.request;
  domain::created_property created;
  created.property = find_property(db, creation);
  created.refused = domain::first_refused(request, taken_values_of(db, creation));
  if (!created.property) {
    created.property = domain::make_property(request, *creation.owner, creation.property_id, creation.now);
    write_property(db, creation, *created.property);
  }
  const auto count = created.refused ? created.refused->room : request.rooms.size();
  for (std::size_t i = 0; i < count; ++i)
    created.units.push_back(
        {domain::make_unit(request, request.rooms[i], *created.property, creation.unit_ids[i], creation.now),
         domain::external_id_of(request, request.rooms[i])});
  write_units(db, creation, created.units);
  if (created.refused) add_messages(messages, creation.messages_for_refusal(creation, *created.refused));
  return created;
}

} // namespace

std::vector<creation_outcome> create_properties(session& db, const lease& held,
                                                std::span<const property_creation> creations) {
  write_transaction txn(db, held);
  refuse_while_importing(db);
  std::vector<creation_outcome> outcomes;
  message_rows messages;
  std::vector<audit_entry> audit;
  std::vector<change> changes;
  for (const auto& creation : creations) {
    const auto& account = creation.owner->id;
    auto& outcome = outcomes.emplace_back();
    outcome.locked = !db.internals().read_one(owner_lock, {{"account", account}});
    if (outcome.locked) continue;
    outcome.created = write_creation(db, creation, messages);
    audit.push_back(creation.audit);
    changes.push_back({change_kind::account, {account}, {}, {outcome.created.property->id}});
  }
  insert(db, messages);
  record_audit(db, audit);
  const auto points = append_all(db, changes);
  auto next = points.begin();
  for (auto& outcome : outcomes)
    if (!outcome.locked) outcome.change = *next++;
  txn.commit();
  return outcomes;
}

} // namespace roost::store
