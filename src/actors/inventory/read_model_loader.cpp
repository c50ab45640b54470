#include "actors/inventory/read_model_loader.hpp"

#include "log/log.hpp"
#include "store/audit/audit.hpp"
#include "store/portfolio/held_nights.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace roost::actors {

namespace {

using tenants_by_account = std::unordered_map<domain::uuid, std::vector<domain::tenant>, domain::uuid_hash>;

/// Groups the tenants of these accounts (if empty: of all accounts).
tenants_by_account tenants_of(store::session& db, std::span<const domain::uuid> accounts) {
  tenants_by_account grouped;
  for (auto& tenant : store::load_tenants(db, accounts))
    grouped[tenant.account_id].push_back(std::move(tenant));
  return grouped;
}

std::int64_t milliseconds_since(std::chrono::steady_clock::time_point started) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started)
      .count();
}

} // namespace

read_model_loader::read_model_loader(runtime& rt, const follower_setup& setup)
    : setup_(setup), actor_registry_(rt, setup.actor_registry) {}

/// Reads the position first: changes that arrive during the load may be applied twice.
store::stream_point read_model_loader::load(store::session& db) {
  const auto started = std::chrono::steady_clock::now();
  const auto point = store::newest_point(db);
  const auto accounts = load_accounts(db);
  publish();
  setup_.directory_published();
  log::info("portfolio_loaded",
            {{"position", point.position}, {"accounts", accounts}, {"ms", milliseconds_since(started)}});
  for (const auto& [platform, links] : actor_registry_.unknown_links())
    log::warn("links_without_platform", {{"platform", platform}, {"links", links}});
  return point;
}

/// Drops everything if the load fails: bookings cancelled before the next load would stay in memory forever.
std::size_t read_model_loader::load_accounts(store::session& db) {
  std::size_t accounts = 0;
  try {
    auto tenants = tenants_of(db, {});
    store::session second(setup_.store_url);
    store::load_live(
        db,
        [&](store::live_account account) {
          ++accounts;
          const auto id = account.settings.id;
          actor_registry_.apply(account, std::move(tenants[id]));
        },
        &second);
    setup_.load_credentials(db);
  } catch (...) {
    forget();
    throw;
  }
  return accounts;
}

void read_model_loader::apply(store::session& db, std::span<const store::stream_entry> entries) {
  id_set accounts, renewed, edited, with_holds, with_users, with_tenants;
  std::vector<domain::uuid> bookings, tenants;
  std::vector<store::cancelled_booking> moved; // with each unit that they may have left
  credential_changes credentials;
  bool credentials_changed = false;
  for (const auto& [at, change, when] : entries) {
    if (change.kind == store::change_kind::account) {
      accounts.insert(change.accounts.begin(), change.accounts.end());
      credentials.keys |= change.subjects.empty(); // an import may end API keys of its users
    }
    if (change.kind == store::change_kind::unit) {
      auto& units = change.subjects == change.units ? renewed : edited; // the office may change any member
      units.insert(change.units.begin(), change.units.end());
    }
    if (change.kind == store::change_kind::calendar) {
      bookings.insert(bookings.end(), change.subjects.begin(), change.subjects.end());
      for (const auto& unit : change.units)
        for (const auto& booking : change.subjects) moved.push_back({booking, unit});
      if (change.subjects.empty()) with_holds.insert(change.units.begin(), change.units.end());
    }
    if (change.kind == store::change_kind::tenant) {
      with_tenants.insert(change.accounts.begin(), change.accounts.end());
      tenants.insert(tenants.end(), change.subjects.begin(), change.subjects.end());
    }
    if (change.kind != store::change_kind::credentials) continue;
    credentials_changed = true;
    with_users.insert(change.accounts.begin(), change.accounts.end());
    credentials.keys |= change.accounts.empty() && change.subjects.empty();
    credentials.ended.insert(credentials.ended.end(), change.subjects.begin(), change.subjects.end());
  }
  if (!accounts.empty()) read_accounts(db, std::vector(accounts.begin(), accounts.end()), false);
  if (!renewed.empty()) read_units(db, std::vector(renewed.begin(), renewed.end()));
  if (!edited.empty())
    for (const auto& edit : store::edited_units(db, std::vector(edited.begin(), edited.end()))) apply(edit);
  if (!bookings.empty()) read_stays(db, bookings, std::move(moved));
  if (!with_holds.empty()) // after the bookings that took over the nights
    read_holds(db, std::vector(with_holds.begin(), with_holds.end()));
  if (!tenants.empty())
    actor_registry_.replace(
        store::find_tenants(db, std::vector(with_tenants.begin(), with_tenants.end()), tenants));
  with_users.merge(accounts); // an account's users may have changed, too
  credentials.accounts.assign(with_users.begin(), with_users.end());
  if (credentials_changed || !credentials.accounts.empty()) setup_.apply_credentials(db, credentials);
}

void read_model_loader::reload(store::session& db, std::span<const domain::uuid> accounts) {
  read_accounts(db, accounts, true);
}

void read_model_loader::apply(const store::edited_unit& edit) {
  actor_registry_.apply(edit);
  if (actor_registry_.outdated_units() < setup_.max_outdated_units) return;
  actor_registry_.fold_edits();
  publish();
}

void read_model_loader::forget() {
  actor_registry_.end();
  setup_.directory->set(nullptr);
}

void read_model_loader::read_units(store::session& db, std::span<const domain::uuid> units) {
  for (auto& unit : store::live_units_of(db, units)) actor_registry_.apply(std::move(unit));
  publish();
}

void read_model_loader::read_accounts(store::session& db, std::span<const domain::uuid> accounts,
                                      bool with_tenants) {
  const auto started = std::chrono::steady_clock::now();
  auto tenants = with_tenants ? tenants_of(db, accounts) : tenants_by_account{};
  std::vector<domain::uuid> known;
  const auto point = store::load_live(db, accounts, [&](store::live_account account) {
    const auto id = account.settings.id;
    if (actor_registry_.apply(account, std::move(tenants[id]))) known.push_back(id);
  });
  publish();
  if (!known.empty()) actor_registry_.release(store::cancelled_bookings(db, known));
  setup_.directory_published();
  log::info(
      "accounts_loaded",
      {{"position", point.position}, {"accounts", accounts.size()}, {"ms", milliseconds_since(started)}});
}

/// Reads twice: a cancellation in between is found by the second read or follows as a later change.
void read_model_loader::read_stays(store::session& db, const std::vector<domain::uuid>& bookings,
                                   std::vector<store::cancelled_booking> moved) {
  const auto stays = store::live_stays(db, bookings);
  actor_registry_.apply(stays);
  std::erase_if(moved, [&](const store::cancelled_booking& left) {
    const auto stay = std::ranges::find(stays, left.id, [](const auto& each) { return each.block.id; });
    return stay != stays.end() && stay->unit_id == left.unit_id;
  });
  actor_registry_.release(moved);
  auto cancelled = store::live_stays(db, bookings);
  std::erase_if(cancelled, [](const store::live_stay& stay) { return !stay.is_cancelled; });
  actor_registry_.apply(cancelled);
  if (!setup_.lease->held()) return; // the writer logs it
  for (const auto& stay : cancelled) {
    if (stay.tenant.details.email.empty())
      continue; // an erased guest's booking: its cancellation was logged before
    log::info("booking_cancelled",
              {{"booking", domain::to_string(stay.block.id)},
               {"by", store::canceller_of(db, stay.block.id).value_or("another_process")}});
  }
}

void read_model_loader::read_holds(store::session& db, std::span<const domain::uuid> units) {
  std::map<domain::uuid, std::vector<domain::block>> holds;
  for (const auto& unit : units) holds[unit];
  for (const auto& each : store::holds_of(db, units)) holds[each.unit_id].push_back(each.block());
  for (auto& [unit, blocks] : holds) actor_registry_.apply(unit, std::move(blocks));
}

void read_model_loader::publish() { setup_.directory->set(actor_registry_.snapshot()); }

} // namespace roost::actors
