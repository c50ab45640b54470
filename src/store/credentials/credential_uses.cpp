#include "store/credentials/credential_uses.hpp"

#include "store/database/bulk.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

using domain::credential_use;

constexpr auto use_columns = columns(column("credential_id", &credential_use::credential_id).key(),
                                     column("used_at", &credential_use::used_at));
const auto uses_table = table_of<use_columns>("credential_uses");
const selection all_uses{"all_uses", "select {columns} from credential_uses", use_columns};

void write(session& db, std::span<const credential_use> uses, bulk_mode mode) {
  bulk_writer rows(db, uses_table, mode);
  for (const auto& each : uses) rows.add(each);
  rows.finish();
}

} // namespace

void note_uses(session& db, const lease& held, std::span<const credential_use> uses) {
  write_transaction txn(db, held);
  write(db, uses, bulk_mode::update_changed);
  write(db, uses, bulk_mode::insert_new);
  txn.commit();
}

std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> last_uses(session& db) {
  std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> found;
  for (const auto& each : db.internals().read_all(all_uses)) found.emplace(each.credential_id, each.used_at);
  return found;
}

} // namespace roost::store
