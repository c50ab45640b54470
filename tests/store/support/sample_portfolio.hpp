#pragma once

#include "domain/portfolio.hpp"
#include "store/portfolio/live.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Small portfolios, imported into stores and loaded from them.
namespace roost::testing {

/// Returns the nth id of a kind; the same arguments return the same id.
inline domain::uuid numbered_id(unsigned kind, unsigned long number) {
  domain::uuid id{};
  id.data[0] = static_cast<std::uint8_t>(kind);
  id.data[6] = 0x40;
  id.data[8] = 0x80;
  for (int i = 0; i < 4; ++i) id.data[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

inline domain::uuid account_id(unsigned long n) { return numbered_id(1, n); }
inline domain::uuid property_id(unsigned long n) { return numbered_id(2, n); }
inline domain::uuid unit_id(unsigned long n) { return numbered_id(3, n); }
inline domain::uuid user_id(unsigned long n) { return numbered_id(4, n); }

inline domain::uuid fresh_id() {
  static std::atomic<unsigned long> last{0};
  return numbered_id(9, ++last);
}

inline domain::date day(const char* text) { return domain::parse_date(text).value(); }
inline domain::timestamp moment(const char* text) { return domain::parse_timestamp(text).value(); }

inline domain::portfolio_unit full_unit(unsigned long n) {
  domain::portfolio_unit unit;
  unit.terms.id = unit_id(n);
  unit.terms.internal_name = "Room " + std::to_string(n);
  unit.terms.room_label = "Room";
  unit.terms.rent.amount = {650'00};
  unit.terms.booking_windows = {{day("2027-01-01"), day("2027-02-01"), day("2027-06-01"), day("2027-07-31")}};
  unit.blocks = {{.nights = {day("2027-03-01"), day("2027-03-31")}}};
  unit.links = {
      {"marketplace-a", "ext-" + std::to_string(n), "https://marketplace-a.example/" + std::to_string(n)}};
  unit.presentation.features = {"desk"};
  unit.presentation.title = {{"en", "A room"}};
  return unit;
}

/// Returns an account with one property of `units` units, whose numbers start at `first_unit`.
inline domain::portfolio_account sample_account(unsigned long n, unsigned long units,
                                                unsigned long first_unit) {
  domain::portfolio_account account;
  account.details.id = account_id(n);
  account.details.company_name = "Landlord " + std::to_string(n);
  account.details.currency = "EUR";
  account.details.landlord_key = "landlord-" + std::to_string(n);
  account.details.tenant_categories = {{"Platform guest", true}};
  account.details.ai_areas = {{"bookings", "edit"}};
  account.details.cards = {
      {"marketplace-a", "feeds@landlord.example", {domain::markup_mode::percentage, 500}, {}}};
  domain::portfolio_user user;
  user.details.id = user_id(n);
  user.details.email = "user" + std::to_string(n) + "@landlord.example";
  user.details.first_name = "Ana";
  user.details.last_name = "Silva";
  user.details.role = "Admin";
  account.users.push_back(user);
  domain::portfolio_property property;
  property.details.id = property_id(n);
  property.details.internal_name = "Calle Mayor " + std::to_string(n);
  property.details.address.city = "Madrid";
  for (unsigned long i = 0; i < units; ++i) property.units.push_back(full_unit(first_unit + i));
  account.properties.push_back(std::move(property));
  return account;
}

/// Returns `accounts` accounts of `units` units each.
inline domain::portfolio sample_portfolio(unsigned long accounts = 1, unsigned long units = 2) {
  domain::portfolio file;
  for (unsigned long n = 1; n <= accounts; ++n)
    file.accounts.push_back(sample_account(n, units, (n - 1) * units + 1));
  return file;
}

/// Allows removals.
inline store::import_context context_at(const char* now) {
  store::import_context context{moment(now), fresh_id, {}};
  context.allow_removals = true;
  return context;
}

inline store::import_result import_sample(store::session& db, const domain::portfolio& file,
                                          const char* now = "2026-11-20T09:30:00.000Z") {
  return store::import_portfolio(db, file, context_at(now));
}

/// Returns how many units an import added, changed, removed or archived.
inline std::size_t units_that_are(const store::import_summary& summary, store::import_action action) {
  return summary.counts.count(action, store::portfolio_part::unit);
}

/// Returns the accounts that a running server would have in memory.
inline std::vector<store::live_account> live_accounts(store::session& db) {
  std::vector<store::live_account> accounts;
  store::load_live(db, [&](store::live_account account) { accounts.push_back(std::move(account)); });
  return accounts;
}

/// Returns a unit and its property as loaded by a server. Throws std::runtime_error if there is none.
inline std::pair<store::live_property, store::live_unit> live_unit(store::session& db,
                                                                   const domain::uuid& id) {
  for (const auto& account : live_accounts(db))
    for (const auto& property : account.properties)
      for (const auto& unit : property.units)
        if (unit.terms.id == id) return {property, unit};
  throw std::runtime_error("no such unit");
}

} // namespace roost::testing
