#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/context.hpp"
#include "portfolio/reader.hpp"
#include "portfolio/uniqueness.hpp"

#include <string_view>
#include <vector>

/// The aggregates of a portfolio file, each in a source file of its own. Every function reads the object that
/// the reader stands at and returns whether it was good.
namespace roost::portfolio {

/// What reading one file needs and remembers.
struct file_scope {
  explicit file_scope(const context& with);

  const domain::platform& platform(std::string_view name) const; ///< of one of `platforms`

  const context& configured;
  std::vector<std::string_view> platforms, roles, short_term_hosts; ///< configured names
  uniqueness unique;
};

bool read_account(reader& in, file_scope& file, domain::portfolio_account& to);
bool read_property(reader& in, file_scope& file, const domain::uuid& account, domain::portfolio_property& to);
bool read_unit(reader& in, file_scope& file, const domain::property& of, domain::portfolio_unit& to);

/// What a unit costs: its members rent, adminFee, deposit and bills (Partner API, Listing object).
bool read_rent(reader& in, domain::rent_terms& to);
bool read_admin_fee(reader& in, domain::admin_fee& to);
bool read_deposit(reader& in, domain::deposit_terms& to);
bool read_bills(reader& in, domain::bills_terms& to);

/// When a unit can be had: its booking windows and blocks.
bool read_booking_window(reader& in, domain::booking_window& to);
bool read_block(reader& in, file_scope& file, domain::block& to);

/// A unit's links and exclusions (Partner API, Unit mapping record).
bool read_links(reader& in, file_scope& file, std::vector<domain::link>& to);
bool read_exclusions(reader& in, const file_scope& file, std::vector<std::string>& to);

/// A row of the AI usage ledger.
bool read_usage_record(reader& in, file_scope& file, const domain::uuid& account,
                       domain::ai_usage_record& to);

} // namespace roost::portfolio
