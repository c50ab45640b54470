#include "actors/inventory/read_model_loader.hpp"

#include "log/log.hpp"
#include "store/audit/audit.hpp"

#include <unordered_map>

namespace roost::actors {

namespace {

using tenants_by_account = std::unordered_map<domain::uuid, std::vector<domain::tenant>, domain::uuid_hash>;

/// Of all accounts where none is named.
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

/// The point comes first: all else may be newer, and what came meanwhile is taken up once more.
store::stream_point read_model_loader::load(store::session& db) {
  const auto started = std::chrono::steady_clock::now();
  const auto point = store::newest_point(db);
  const auto accounts = load_accounts(db);
  publish();
  setup_.directory_published();
  log::info("portfolio_loaded",
            {{"position", point.position}, {"accounts", accounts}, {"ms", milliseconds_since(started)}});
  return point;
}

/// What a load has left that was not finished is forgotten: what was cancelled until the next one begins
/// would stay in it for good.
std::size_t read_model_loader::load_accounts(store::session& db) {
  std::size_t accounts = 0;
  try {
    auto tenants = tenants_of(db, {});
    store::session beside(setup_.store_url);
    store::load_live(
        db,
        [&](store::live_account account) {
          ++accounts;
          const auto id = account.settings.id;
          actor_registry_.apply(account, std::move(tenants[id]));
        },
        &beside);
    setup_.load_credentials(db);
  } catch (...) {
    forget();
    throw;
  }
  return accounts;
}

void read_model_loader::apply(store::session& db, std::span<const store::stream_entry> entries) {
  id_set accounts, edited, with_users;
  std::vector<domain::uuid> bookings;
  credential_news news;
  bool is_news = false;
  for (const auto& [at, what, when] : entries) {
    if (what.kind == store::change_kind::account) accounts.insert(what.accounts.begin(), what.accounts.end());
    if (what.kind == store::change_kind::unit) edited.insert(what.units.begin(), what.units.end());
    if (what.kind == store::change_kind::calendar)
      bookings.insert(bookings.end(), what.subjects.begin(), what.subjects.end());
    if (what.kind != store::change_kind::credentials) continue;
    is_news = true;
    with_users.insert(what.accounts.begin(), what.accounts.end());
    news.keys |= what.accounts.empty() && what.subjects.empty();
    news.ended.insert(news.ended.end(), what.subjects.begin(), what.subjects.end());
  }
  if (!accounts.empty()) read_accounts(db, std::vector(accounts.begin(), accounts.end()), false);
  if (!edited.empty()) read_edits(db, {edited.begin(), edited.end()});
  if (!bookings.empty()) read_stays(db, bookings);
  with_users.merge(accounts); // an account's users are its own
  news.accounts.assign(with_users.begin(), with_users.end());
  if (is_news || !news.accounts.empty()) setup_.apply_credentials(db, news);
}

void read_model_loader::read_again(store::session& db, std::span<const domain::uuid> accounts) {
  read_accounts(db, accounts, true);
}

void read_model_loader::apply(const store::edited_unit& edit) {
  actor_registry_.apply(edit);
  if (actor_registry_.outdated_units() < setup_.outdated_a_directory) return;
  actor_registry_.fold_edits();
  publish();
}

void read_model_loader::forget() {
  actor_registry_.end();
  setup_.directory->set(nullptr);
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

void read_model_loader::read_edits(store::session& db, const std::vector<domain::uuid>& units) {
  for (const auto& edit : store::edited_units(db, units)) apply(edit);
}

/// One that is cancelled in between is seen by the second look, or its cancel is told after this.
void read_model_loader::read_stays(store::session& db, const std::vector<domain::uuid>& bookings) {
  actor_registry_.apply(store::live_stays(db, bookings));
  auto again = store::live_stays(db, bookings);
  std::erase_if(again, [](const store::live_stay& stay) { return !stay.is_cancelled; });
  actor_registry_.apply(again);
  if (!setup_.lease->held()) return; // the writer's log tells it
  for (const auto& stay : again) {
    if (stay.tenant.details.email.empty()) continue; // an erased guest's: it was told when it was cancelled
    log::info("booking_cancelled",
              {{"booking", domain::to_string(stay.block.id)},
               {"by", store::canceller_of(db, stay.block.id).value_or("another_process")}});
  }
}

void read_model_loader::publish() { setup_.directory->set(actor_registry_.snapshot()); }

} // namespace roost::actors
