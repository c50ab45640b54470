#include "store/credentials/credentials.hpp"

#include "store/database/bulk.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"

#include <type_traits>

namespace roost::store {

/// The description of a kind of credential, whose table has the columns `id` and `ended_at`:
///
/// - `table`: the name of the table;
/// - `columns`: the description of a record;
/// - `issued`: the column by which records are ordered;
/// - `live`: the condition for a valid credential; `:now` is a parameter.
template <typename Record>
struct credential_description;

template <typename Record>
class credential_statements {
  using description = credential_description<Record>;
  using columns = std::remove_cvref_t<decltype(description::columns)>;

  static std::string reading(const std::string& condition) {
    return "select {columns} from " + std::string(description::table) + condition + " order by " +
           description::issued + " desc, id";
  }

  const std::string table_name_ = description::table;
  const std::string end_name_ = "end_" + table_name_,
                    end_text_ =
                        "update " + table_name_ + " set ended_at = :now where id = :id and ended_at is null";

public:
  const record_table<Record> table = table_of<description::columns>(description::table);
  const selection<columns> all{"all_" + table_name_, reading(""), description::columns};
  const selection<columns> live{"live_" + table_name_, reading(std::string(" where ") + description::live),
                                description::columns};
  const selection<columns> one{"one_of_" + table_name_, reading(" where id = :id"), description::columns};
  const query end{end_name_.c_str(), end_text_.c_str()};

  /// Returns the statements of the family, which are built at first use.
  static const credential_statements& get() {
    static const credential_statements statements;
    return statements;
  }
};

template <typename Record>
stream_point credential_family<Record>::insert(session& db, const Record& entry) {
  transaction txn(db, transaction::purpose::write);
  add_row(db, entry);
  const auto change = append(db, {});
  txn.commit();
  return change;
}

template <typename Record>
std::optional<stream_point> credential_family<Record>::end(session& db, const domain::uuid& id,
                                                           domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  if (!end_row(db, id, now)) return std::nullopt;
  const auto change = append(db, {});
  txn.commit();
  return change;
}

template <typename Record>
void credential_family<Record>::add_row(session& db, const Record& entry) {
  insert_row(db, credential_statements<Record>::get().table, entry);
}

template <typename Record>
bool credential_family<Record>::end_row(session& db, const domain::uuid& id, domain::timestamp now) {
  const auto& statement = credential_statements<Record>::get().end;
  return db.internals().write(statement, {{"id", id}, {"now", now}}) > 0;
}

template <typename Record>
std::optional<Record> credential_family<Record>::find(session& db, const domain::uuid& id) {
  return db.internals().read_one(credential_statements<Record>::get().one, {{"id", id}});
}

template <typename Record>
std::vector<Record> credential_family<Record>::all(session& db) {
  return db.internals().read_all(credential_statements<Record>::get().all);
}

template <typename Record>
std::vector<Record> credential_family<Record>::live(session& db, domain::timestamp now) {
  return db.internals().read_all(credential_statements<Record>::get().live, {{"now", now}});
}

template <>
struct credential_description<partner_token> {
  static constexpr auto table = "partner_tokens", issued = "issued_at";
  static constexpr auto live = "ended_at is null and expires_at > :now";
  static constexpr auto columns = store::columns(
      column("id", &partner_token::id).key(), column("platform", &partner_token::platform),
      column("issued_at", &partner_token::issued_at), column("expires_at", &partner_token::expires_at),
      column("ended_at", &partner_token::ended_at), column("label", &partner_token::label));
};

/// The description of a kind of stored_key, whose label is in the column `label`.
template <typename Key, typename... Own>
constexpr auto key_columns(const char* label, const Own&... own) {
  const auto common =
      columns(column("id", &stored_key::id).key(), column("hash", &stored_key::hash),
              column("last4", &stored_key::last4), column("created_at", &stored_key::created_at),
              column("ended_at", &stored_key::ended_at), column(label, &stored_key::label));
  return columns(columns_at<Key>(common), own...);
}

struct key_description {
  static constexpr auto issued = "created_at", live = "ended_at is null";
};

template <>
struct credential_description<account_key> : key_description {
  static constexpr auto table = "account_keys";
  static constexpr auto columns =
      key_columns<account_key>("label", column("account_id", &account_key::account_id));
};

template <>
struct credential_description<webhook_key> : key_description {
  static constexpr auto table = "webhook_keys";
  static constexpr auto columns = key_columns<webhook_key>("label");
};

template <>
struct credential_description<usage_key> : key_description {
  static constexpr auto table = "usage_keys";
  static constexpr auto columns = key_columns<usage_key>("label");
};

template <>
struct credential_description<tool_server_key> : key_description {
  static constexpr auto table = "tool_server_keys";
  static constexpr auto columns =
      key_columns<tool_server_key>("label", column("resource", &tool_server_key::resource));
};

template <>
struct credential_description<api_key> : key_description {
  static constexpr auto table = "api_keys";
  static constexpr auto columns = key_columns<api_key>("name", column("user_id", &api_key::user_id),
                                                       column("resource", &api_key::resource));
};

template struct credential_family<partner_token>;
template struct credential_family<account_key>;
template struct credential_family<webhook_key>;
template struct credential_family<usage_key>;
template struct credential_family<tool_server_key>;
template struct credential_family<api_key>;

namespace {

constexpr query end_other_tokens{"end_other_tokens",
                                 "update partner_tokens set ended_at = :now where platform = :platform and "
                                 "id <> :id and ended_at is null"};

} // namespace

stream_point replace_partner_tokens(session& db, const partner_token& token) {
  transaction txn(db, transaction::purpose::write);
  partner_tokens::add_row(db, token);
  db.internals().write(end_other_tokens,
                       {{"id", token.id}, {"platform", token.platform}, {"now", token.issued_at}});
  const auto change = append(db, {});
  txn.commit();
  return change;
}

namespace {

std::string count_of_ids() {
  std::string ids;
  for (const auto* table :
       {credential_description<partner_token>::table, credential_description<account_key>::table,
        credential_description<webhook_key>::table, credential_description<usage_key>::table,
        credential_description<tool_server_key>::table, credential_description<api_key>::table})
    ids.append(ids.empty() ? "" : " union all ").append("select id from ").append(table) += " where id = :id";
  return "select {columns} from (" + ids + ") ids";
}
const selection credential_id_taken{"credential_id_taken", count_of_ids(), named<bool>("count(*) > 0")};

} // namespace

bool is_credential_id(session& db, const domain::uuid& id) {
  return db.internals().read_one(credential_id_taken, {{"id", id}}).value_or(false);
}

namespace {

using domain::credential_use;

constexpr auto use_columns = columns(column("credential_id", &credential_use::credential_id).key(),
                                     column("used_at", &credential_use::used_at));
const auto uses_table = table_of<use_columns>("credential_uses");
const selection all_uses{"all_uses", "select {columns} from credential_uses", use_columns};

void write(session& db, std::span<const credential_use> uses, bulk_mode mode) {
  bulk_writer rows(db, uses_table, mode);
  for (const auto& use : uses) rows.add(use);
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
  std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> uses;
  for (const auto& use : db.internals().read_all(all_uses)) uses.emplace(use.credential_id, use.used_at);
  return uses;
}

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
