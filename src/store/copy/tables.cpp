#include "store/copy/tables.hpp"

namespace roost::store {

std::span<const table_entry> table_entries() {
  using enum table_use;
  static const std::vector<table_entry> entries{
      {"accounts", copied, {"id"}},
      {"platform_cards", copied, {"account_id", "platform"}},
      {"users", copied, {"id"}},
      {"properties", copied, {"id"}},
      {"units", copied, {"id"}},
      {"unit_month_rents", copied, {"unit_id", "month"}},
      {"booking_windows", copied, {"unit_id", "position"}},
      {"links", copied, {"unit_id", "platform"}},
      {"former_links", copied, {"external_id", "platform", "account_id"}},
      {"exclusions", copied, {"unit_id", "platform"}},
      {"changelog", copied, {"id"}},
      {"tenants", copied, {"account_id", "id"}},
      {"booking_requests", copied, {"id"}, "seq"},
      {"request_totals", copied, {"state"}, {}, true},
      {"bookings", copied, {"id"}},
      {"blocks", copied, {"id"}},
      {"notifications", copied, {"id"}},
      {"outgoing_mail", copied, {"id"}},
      {"ai_usage", copied, {"id"}},
      {"ai_usage_days", counted, {"account_id", "day", "feature", "model"}},
      {"ai_usage_newest", counted, {"account_id", "feature", "model"}},
      {"partner_tokens", copied, {"id"}},
      {"account_keys", copied, {"id"}},
      {"webhook_keys", copied, {"id"}},
      {"usage_keys", copied, {"id"}},
      {"tool_server_keys", copied, {"id"}},
      {"api_keys", copied, {"id"}},
      {"credential_uses", copied, {"credential_id"}},
      {"sessions", copied, {"id"}},
      {"sign_in_challenges", copied, {"id"}},
      {"sign_in_codes", copied, {"id"}},
      {"wrong_passwords", copied, {"id"}},
      {"remembered_browsers", copied, {"id"}},
      {"password_resets", copied, {"id"}},
      {"connector_clients", copied, {"id"}},
      {"connector_codes", copied, {"id"}},
      {"connections", copied, {"id"}},
      {"signing_keys", copied, {"id"}},
      {"audit", copied, {"id"}},
      // The stream is the store's history, and the copy's is another one.
      {"changes", own},
      {"change_stream", own},
      {"writer_lease", own},
      {"schema_migrations", own},
      // Of imports that SQLite takes in pieces: there is none under way when a store is copied.
      {"import_steps", own},
      {"pending_import", own},
      {"store_copy", own},
      {"store_copy_tables", own},
  };
  return entries;
}

} // namespace roost::store
