#pragma once

#include "domain/portfolio.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::portfolio {

/// Whether users' password hashes are written.
enum class password_hashes { left_out, written };

/// Writes a portfolio file (format `roost-portfolio/1`) account by account, and keeps nothing that it has
/// written. parse() returns the same portfolio, except for times of creation and change, passwords that are
/// not hashed and properties' `contract_type`, `payment_terms` and `part_month`, which no file has.
///
/// A member has a line; one that has its default is left out. Cards, blocks, links and the like have a line
/// each. Everything is written in the order in which it is given.
class file_writer {
public:
  /// `out` takes the text in pieces, at most one for each unit or so.
  file_writer(std::function<void(std::string_view text)> out, password_hashes hashes);

  /// Writes an account with its users and properties, and the first of its usage records.
  void begin_account(const domain::portfolio_account& account);
  /// Writes more usage records of that account.
  void add_usage(std::span<const domain::ai_usage_record> records);
  void end_account();

  /// Ends the file: nothing can be added afterwards.
  void finish();

private:
  void begin_line();
  void begin_member(std::string_view name);
  void begin(std::string_view opening);
  void end(char bracket);
  template <typename Object, typename T>
  void members(const Object& object, const T& from);
  template <typename Object, typename T>
  void element(const Object& object, const T& from);
  void flush();

  std::function<void(std::string_view)> out_;
  password_hashes hashes_;
  std::string text_;
  std::size_t depth_ = 0;
  bool is_first_ = true; ///< this object or list has no member or element yet
  bool in_usage_ = false;
};

/// The whole file.
std::string written(const domain::portfolio& file, password_hashes hashes = password_hashes::left_out);

/// A member that two versions of an object differ in.
struct difference {
  std::string member; ///< `capacity`, or within an object `rent.amount`
  /// As JSON; nullopt for lists and secrets, whose values are not shown.
  std::optional<std::string> from, to;

  friend bool operator==(const difference&, const difference&) = default;
};

/// A member that differs between two texts, or between an absent text and another one.
difference text_difference(std::string member, const std::optional<std::string>& from,
                           const std::optional<std::string>& to);

/// Returns what differs, in the order of the members, with their defaults. Cards, users, properties, usage
/// records, units, booking windows, blocks, imported calendars, links and exclusions are no part of the
/// object that they belong to. Wi-Fi passwords, URLs of calendars and password hashes are never shown; a hash
/// appears as `password`. T is a portfolio_account, platform_card, portfolio_user, portfolio_property,
/// portfolio_unit, block or imported_calendar.
template <typename T>
std::vector<difference> differences(const T& before, const T& after,
                                    password_hashes hashes = password_hashes::left_out);

} // namespace roost::portfolio
