#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/written_members.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace roost::portfolio {

/// Writes a portfolio file (format `roost-portfolio/1`) account by account, and keeps nothing of what it has
/// written. What is written is read as the same by parse(), but for times of creation and change, passwords
/// that are not hashed and properties' `contract_type`, `payment_terms` and `part_month`, which no file has.
///
/// A member has a line; one that means the same as none is left out. Cards, blocks, links and the like have a
/// line each. Everything stands in the order in which it is given.
class file_writer {
public:
  /// `out` takes the text in pieces, at most one for each unit or so.
  file_writer(std::function<void(std::string_view text)> out, password_hashes hashes);

  /// An account with its users and properties, and the first of its usage records.
  void begin_account(const domain::portfolio_account& account);
  /// More usage records of that account.
  void add_usage(std::span<const domain::ai_usage_record> records);
  void end_account();

  /// The file ends: nothing can be added.
  void finish();

private:
  void line(std::string_view text);
  void members(const written_members& object);
  void begin_list(std::string_view name);
  void end_list();
  void begin_element();
  void end_element();
  void user(const domain::portfolio_user& user);
  void property(const domain::portfolio_property& property);
  void flush();

  std::function<void(std::string_view)> out_;
  password_hashes hashes_;
  std::string text_;
  std::size_t depth_ = 0;
  bool is_first_ = true; ///< nothing stands in this object or list yet
  bool in_usage_ = false;
};

/// The whole file.
std::string written(const domain::portfolio& file, password_hashes hashes = password_hashes::left_out);

} // namespace roost::portfolio
