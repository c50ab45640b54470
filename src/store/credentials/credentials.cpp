#include "store/credentials/credentials.hpp"

#include "store/database/change.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

constexpr query add_token{"add_token",
                          "insert into partner_tokens (id, platform, issued_at, expires_at, ended_at)"
                          " values (:id, :platform, :issued_at, :expires_at, :ended_at)"};
constexpr query end_other_tokens{"end_other_tokens",
                                 "update partner_tokens set ended_at = :now where platform = :platform and "
                                 "id <> :id and ended_at is null"};
constexpr query end_token{"end_token",
                          "update partner_tokens set ended_at = :now where id = :id and ended_at is null"};
constexpr query all_tokens{"all_tokens",
                           "select id, platform, issued_at, expires_at, ended_at from partner_tokens"
                           " order by issued_at desc, id",
                           5};
constexpr query live_tokens{"live_tokens",
                            "select id, platform, issued_at, expires_at, ended_at from partner_tokens"
                            " where ended_at is null and expires_at > :now order by issued_at desc, id",
                            5};

constexpr query add_account_key{"add_account_key",
                                "insert into account_keys (id, account_id, hash, last4, created_at, ended_at)"
                                " values (:id, :account_id, :hash, :last4, :created_at, :ended_at)"};
constexpr query end_key_of_account{
    "end_key_of_account", "update account_keys set ended_at = :now where id = :id and ended_at is null"};
constexpr query all_account_keys{"all_account_keys",
                                 "select id, account_id, hash, last4, created_at, ended_at from account_keys"
                                 " order by created_at desc, id",
                                 6};
constexpr query open_account_keys{"open_account_keys",
                                  "select id, account_id, hash, last4, created_at, ended_at from account_keys"
                                  " where ended_at is null order by created_at desc, id",
                                  6};

constexpr query add_webhook_key{"add_webhook_key",
                                "insert into webhook_keys (id, hash, last4, created_at, ended_at)"
                                " values (:id, :hash, :last4, :created_at, :ended_at)"};
constexpr query end_key_of_webhook{
    "end_key_of_webhook", "update webhook_keys set ended_at = :now where id = :id and ended_at is null"};
constexpr query all_webhook_keys{
    "all_webhook_keys",
    "select id, hash, last4, created_at, ended_at from webhook_keys order by created_at desc, id", 5};
constexpr query open_webhook_keys{"open_webhook_keys",
                                  "select id, hash, last4, created_at, ended_at from webhook_keys"
                                  " where ended_at is null order by created_at desc, id",
                                  5};

constexpr query set_password{
    "set_password",
    "update users set password_hash = :hash, updated_at = {now} where lower(email) = lower(:email)"};

std::int64_t write_and_count(session& db, const query& what, const parameters& with) {
  transaction within(db, transaction::purpose::write);
  db.internals().write(what, with);
  const auto version = bump_version(db);
  within.commit();
  return version;
}

std::optional<std::int64_t> end(session& db, const query& what, const domain::uuid& id,
                                domain::timestamp now) {
  transaction within(db, transaction::purpose::write);
  if (db.internals().write(what, {{"id", to_cell(id)}, {"now", to_cell(now)}}) == 0) return std::nullopt;
  const auto version = bump_version(db);
  within.commit();
  return version;
}

std::vector<partner_token> read_tokens(session& db, const query& what, const parameters& with) {
  std::vector<partner_token> tokens;
  db.internals().read(what, with, [&](row& r) {
    partner_token token;
    token.id = r.id();
    token.platform = r.text();
    token.issued_at = r.moment();
    token.expires_at = r.moment();
    token.ended_at = r.optional_moment();
    tokens.push_back(std::move(token));
  });
  return tokens;
}

std::vector<account_key> read_account_keys(session& db, const query& what) {
  std::vector<account_key> keys;
  db.internals().read(what, {}, [&](row& r) {
    account_key key;
    key.id = r.id();
    key.account_id = r.id();
    key.hash = r.text();
    key.last4 = r.text();
    key.created_at = r.moment();
    key.ended_at = r.optional_moment();
    keys.push_back(std::move(key));
  });
  return keys;
}

std::vector<webhook_key> read_webhook_keys(session& db, const query& what) {
  std::vector<webhook_key> keys;
  db.internals().read(what, {}, [&](row& r) {
    webhook_key key;
    key.id = r.id();
    key.hash = r.text();
    key.last4 = r.text();
    key.created_at = r.moment();
    key.ended_at = r.optional_moment();
    keys.push_back(std::move(key));
  });
  return keys;
}

} // namespace

std::int64_t insert_partner_token(session& db, const partner_token& token, bool end_others) {
  transaction within(db, transaction::purpose::write);
  db.internals().write(add_token, {{"id", to_cell(token.id)},
                                   {"platform", token.platform},
                                   {"issued_at", to_cell(token.issued_at)},
                                   {"expires_at", to_cell(token.expires_at)},
                                   {"ended_at", to_cell(token.ended_at)}});
  if (end_others)
    db.internals().write(
        end_other_tokens,
        {{"id", to_cell(token.id)}, {"platform", token.platform}, {"now", to_cell(token.issued_at)}});
  const auto version = bump_version(db);
  within.commit();
  return version;
}

std::vector<partner_token> partner_tokens(session& db) { return read_tokens(db, all_tokens, {}); }

std::optional<std::int64_t> end_partner_token(session& db, const domain::uuid& id, domain::timestamp now) {
  return end(db, end_token, id, now);
}

std::vector<partner_token> live_partner_tokens(session& db, domain::timestamp now) {
  return read_tokens(db, live_tokens, {{"now", to_cell(now)}});
}

std::int64_t insert_account_key(session& db, const account_key& key) {
  return write_and_count(db, add_account_key,
                         {{"id", to_cell(key.id)},
                          {"account_id", to_cell(key.account_id)},
                          {"hash", key.hash},
                          {"last4", key.last4},
                          {"created_at", to_cell(key.created_at)},
                          {"ended_at", to_cell(key.ended_at)}});
}

std::vector<account_key> account_keys(session& db) { return read_account_keys(db, all_account_keys); }

std::optional<std::int64_t> end_account_key(session& db, const domain::uuid& id, domain::timestamp now) {
  return end(db, end_key_of_account, id, now);
}

std::vector<account_key> live_account_keys(session& db) { return read_account_keys(db, open_account_keys); }

std::int64_t insert_webhook_key(session& db, const webhook_key& key) {
  return write_and_count(db, add_webhook_key,
                         {{"id", to_cell(key.id)},
                          {"hash", key.hash},
                          {"last4", key.last4},
                          {"created_at", to_cell(key.created_at)},
                          {"ended_at", to_cell(key.ended_at)}});
}

std::vector<webhook_key> webhook_keys(session& db) { return read_webhook_keys(db, all_webhook_keys); }

std::optional<std::int64_t> end_webhook_key(session& db, const domain::uuid& id, domain::timestamp now) {
  return end(db, end_key_of_webhook, id, now);
}

std::vector<webhook_key> live_webhook_keys(session& db) { return read_webhook_keys(db, open_webhook_keys); }

bool set_user_password(session& db, std::string_view email, std::string_view hash) {
  return db.internals().write(set_password, {{"email", to_cell(email)}, {"hash", to_cell(hash)}}) > 0;
}

} // namespace roost::store
