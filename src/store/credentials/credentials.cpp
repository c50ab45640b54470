#include "store/credentials/credentials.hpp"

#include "store/credentials/credential_statements.hpp"
#include "store/database/change_stream.hpp"

namespace roost::store {

template <>
struct credential_description<partner_token> {
  static constexpr auto table = "partner_tokens", issued = "issued_at";
  static constexpr auto live = "ended_at is null and expires_at > :now";
  static constexpr auto columns = store::columns(
      column("id", &partner_token::id).key(), column("platform", &partner_token::platform),
      column("issued_at", &partner_token::issued_at), column("expires_at", &partner_token::expires_at),
      column("ended_at", &partner_token::ended_at), column("label", &partner_token::label));
};

template <>
struct credential_description<account_key> {
  static constexpr auto table = "account_keys", issued = "created_at", live = "ended_at is null";
  static constexpr auto columns =
      store::columns(column("id", &account_key::id).key(), column("account_id", &account_key::account_id),
                     column("hash", &account_key::hash), column("last4", &account_key::last4),
                     column("created_at", &account_key::created_at),
                     column("ended_at", &account_key::ended_at), column("label", &account_key::label));
};

template <>
struct credential_description<webhook_key> {
  static constexpr auto table = "webhook_keys", issued = "created_at", live = "ended_at is null";
  static constexpr auto columns =
      store::columns(column("id", &webhook_key::id).key(), column("hash", &webhook_key::hash),
                     column("last4", &webhook_key::last4), column("created_at", &webhook_key::created_at),
                     column("ended_at", &webhook_key::ended_at), column("label", &webhook_key::label));
};

template <>
struct credential_description<usage_key> {
  static constexpr auto table = "usage_keys", issued = "created_at", live = "ended_at is null";
  static constexpr auto columns =
      store::columns(column("id", &usage_key::id).key(), column("hash", &usage_key::hash),
                     column("last4", &usage_key::last4), column("created_at", &usage_key::created_at),
                     column("ended_at", &usage_key::ended_at), column("label", &usage_key::label));
};

template <>
struct credential_description<tool_server_key> {
  static constexpr auto table = "tool_server_keys", issued = "created_at", live = "ended_at is null";
  static constexpr auto columns = store::columns(
      column("id", &tool_server_key::id).key(), column("resource", &tool_server_key::resource),
      column("hash", &tool_server_key::hash), column("last4", &tool_server_key::last4),
      column("created_at", &tool_server_key::created_at), column("ended_at", &tool_server_key::ended_at),
      column("label", &tool_server_key::label));
};

template <>
struct credential_description<api_key> {
  static constexpr auto table = "api_keys", issued = "created_at", live = "ended_at is null";
  static constexpr auto columns = store::columns(
      column("id", &api_key::id).key(), column("user_id", &api_key::user_id), column("name", &api_key::name),
      column("hash", &api_key::hash), column("last4", &api_key::last4),
      column("created_at", &api_key::created_at), column("ended_at", &api_key::ended_at));
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
  insert_row(db, credential_statements<partner_token>::get().table, token);
  db.internals().write(
      end_other_tokens,
      {{"id", to_cell(token.id)}, {"platform", token.platform}, {"now", to_cell(token.issued_at)}});
  const auto change = append(db, {change_kind::credentials, {}, {}, {}});
  txn.commit();
  return change;
}

} // namespace roost::store
