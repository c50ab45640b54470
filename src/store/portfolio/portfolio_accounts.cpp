#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>

namespace roost::store {

namespace {

void write_accounts(import_run& run, account_span accounts) {
  const auto stored = stored_landlord_keys(run.db, ids_of(accounts));
  std::unordered_set<std::string> taken;
  for (const auto& [id, key] : stored) taken.insert(key);

  bulk_writer added(run.db, tables::accounts, bulk_mode::insert);
  bulk_writer changed(run.db, tables::accounts, bulk_mode::update_changed);
  bulk_writer times(run.db, tables::account_times, bulk_mode::update_changed); // of those with another key
  for (const auto& each : accounts) {
    const auto& a = each.details;
    const auto found = stored.find(a.id);
    const bool is_new = found == stored.end();
    // Another account of the file still holds the key, until the last step.
    const bool parked = is_new && taken.contains(a.landlord_key);
    if (parked || (!is_new && found->second != a.landlord_key))
      run.landlord_keys.emplace_back(a.id, a.landlord_key);
    if (!is_new && found->second != a.landlord_key) times.add({a.id, run.with.now});
    const auto stand_in = parked ? domain::to_string(a.id) : std::string{};
    if (is_new) run.notes.add({import_action::added, portfolio_part::account, a.id});
    (is_new ? added : changed).add({&a, parked ? stand_in : a.landlord_key, run.with.now});
  }
  added.finish();
  finish_changes(run, portfolio_part::account, changed);
  finish_changes(run, portfolio_part::account, times);
}

void write_cards(import_run& run, account_span accounts) {
  const auto stored = stored_card_platforms(run.db, ids_of(accounts));
  bulk_writer gone(run.db, tables::card_keys, bulk_mode::erase);
  bulk_writer added(run.db, tables::cards, bulk_mode::insert_new);
  bulk_writer changed(run.db, tables::cards, bulk_mode::update_changed);
  for (const auto& each : accounts) {
    const auto& account = each.details;
    static const std::vector<std::string> none;
    const auto found = stored.find(account.id);
    const auto& there = found == stored.end() ? none : found->second;
    for (const auto& platform : there) {
      if (domain::find_card(account, platform)) continue;
      gone.add({account.id, platform});
      run.notes.add({import_action::removed, portfolio_part::card, account.id, platform});
    }
    for (const auto& card : account.cards) {
      for (auto* writer : {&changed, &added}) writer->add({account.id, &card});
      if (std::ranges::find(there, card.platform) == there.end())
        run.notes.add({import_action::added, portfolio_part::card, account.id, card.platform});
    }
  }
  gone.finish();
  finish_changes(run, portfolio_part::card, changed);
  added.finish();
}

/// Deletes the users that the file leaves out, and frees addresses that are about to become another user's.
void make_room_for_users(import_run& run, account_span accounts, const by_id<std::string>& stored) {
  by_id<const domain::user*> wanted;
  for (const auto& account : accounts)
    for (const auto& user : account.users) wanted.emplace(user.details.id, &user.details);
  bulk_writer gone(run.db, tables::user_ids, bulk_mode::erase);
  bulk_writer parked(run.db, tables::user_emails, bulk_mode::update_changed);
  for (const auto& [id, email] : stored) {
    const auto found = wanted.find(id);
    if (found == wanted.end()) {
      gone.add({id});
      run.notes.add({import_action::removed, portfolio_part::user, id});
    } else if (found->second->email != email) {
      parked.add({id, domain::to_string(id)});
    }
  }
  gone.finish();
  parked.finish();
}

void write_users(import_run& run, account_span accounts) {
  const auto stored = stored_user_emails(run.db, ids_of(accounts));
  make_room_for_users(run, accounts, stored);
  bulk_writer added(run.db, tables::users, bulk_mode::insert);
  bulk_writer changed(run.db, tables::users, bulk_mode::update_changed);
  bulk_writer keeping(run.db, tables::users_with_their_passwords, bulk_mode::update_changed);
  for (const auto& account : accounts)
    for (const auto& each : account.users) {
      const bool is_new = !stored.contains(each.details.id);
      (is_new                ? added
       : each.keeps_password ? keeping
                             : changed)
          .add({account.details.id, &each.details, run.with.now});
      if (is_new) run.notes.add({import_action::added, portfolio_part::user, each.details.id});
    }
  finish_changes(run, portfolio_part::user, changed);
  finish_changes(run, portfolio_part::user, keeping);
  added.finish();
}

void write_usage(import_run& run, account_span accounts) {
  bulk_writer rows(run.db, tables::ai_usage, bulk_mode::insert_new);
  for (const auto& account : accounts)
    for (const auto& each : account.ai_usage) rows.add({account.details.id, &each});
  run.summary.counts.add(import_action::added, portfolio_part::usage_record,
                         static_cast<std::size_t>(rows.finish()));
}

} // namespace

void import_accounts(import_run& run, account_span accounts) {
  write_accounts(run, accounts);
  write_cards(run, accounts);
  write_users(run, accounts);
  write_usage(run, accounts);
}

} // namespace roost::store
