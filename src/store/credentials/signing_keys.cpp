#include "store/credentials/signing_keys.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"

namespace roost::store {

namespace {

const selection read_keys{"read_signing_keys", "select {columns} from signing_keys where id = 1",
                          named<std::string>("fingerprint")};
constexpr query insert_keys{"insert_signing_keys",
                            "insert into signing_keys (id, fingerprint) values (1, :fingerprint)"
                            " on conflict (id) do nothing"};
constexpr query replace_keys{"replace_signing_keys",
                             "insert into signing_keys (id, fingerprint) values (1, :fingerprint)"
                             " on conflict (id) do update set fingerprint = excluded.fingerprint"};

} // namespace

std::optional<std::string> signing_keys_of(session& db) { return db.internals().read_one(read_keys); }

void check_signing_keys(session& db, const std::string& fingerprint) {
  const auto stored = signing_keys_of(db);
  if (stored && *stored != fingerprint)
    throw other_signing_keys("secrets.file holds other signing keys (" + fingerprint +
                             ") than the store's (" + *stored +
                             "): set secrets.file or ROOST_SECRETS_FILE to the correct file, or run "
                             "`roost secrets adopt`, which invalidates every issued token");
}

void bind_signing_keys(session& db, const std::string& fingerprint) {
  if (!signing_keys_of(db)) db.internals().write(insert_keys, {{"fingerprint", fingerprint}});
  check_signing_keys(db, fingerprint); // another process may have bound other keys first
}

void adopt_signing_keys(session& db, const std::string& fingerprint) {
  db.internals().write(replace_keys, {{"fingerprint", fingerprint}});
}

} // namespace roost::store
