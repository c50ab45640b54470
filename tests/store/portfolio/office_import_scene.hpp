#pragma once

#include "store/database/change_stream.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/office_marks.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// An imported file, and helpers that write to the store as the office of its first account does.
namespace roost::testing {

inline store::office_mark mark_of(store::office_part part, const domain::uuid& id, store::office_state state,
                                  std::string platform = {}) {
  store::office_mark mark;
  mark.account_id = account_id(1);
  mark.part = part;
  mark.id = id;
  mark.state = state;
  mark.platform = std::move(platform);
  return mark;
}

/// Writes marks at a new position of the change stream, as a write of the office does.
inline void write_as_office(store::session& db, std::vector<store::office_mark> marks) {
  store::transaction txn(db, store::transaction::purpose::write);
  const auto point = store::append(db, {store::change_kind::account, {account_id(1)}, {}, {}});
  for (auto& mark : marks) mark.position = point.position;
  store::write_marks(db, marks);
  txn.commit();
}

class office_import_scene : public on_each_store {
protected:
  using part = store::office_part;
  using state = store::office_state;

  void SetUp() override { import_sample(session(), file); }

  /// Leaves the store as the office would have after this edit of the file, with these marks.
  template <typename Edit>
  void office(Edit edit, const std::vector<store::office_mark>& marks) {
    auto edited = file;
    edit(edited.accounts[0]);
    ASSERT_TRUE(import_sample(session(), edited, "2026-11-21T09:30:00.000Z").problems.empty());
    write_as_office(session(), marks);
  }

  /// Imports the file without permission to remove anything.
  store::import_result import_strictly() {
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.allow_removals = false;
    return store::import_portfolio(session(), file, context);
  }

  /// Imports the file without permission to overwrite the office.
  store::import_result import() { return import_sample(session(), file, "2026-11-22T09:30:00.000Z"); }

  /// Imports the file, which must succeed.
  void import_over_the_office() {
    auto context = context_at("2026-11-23T09:30:00.000Z");
    context.overwrite_office = true;
    const auto result = store::import_portfolio(session(), file, context);
    EXPECT_EQ(result.problems, std::vector<std::string>{});
    EXPECT_FALSE(result.refused_by_office);
  }

  /// Returns what the import of the file would set back; empty if it is not refused.
  std::string refused_changes() {
    const auto result = import();
    EXPECT_EQ(result.problems, std::vector<std::string>{});
    return result.refused_by_office ? result.refused_by_office->text(store::import_action::changed)
                                    : std::string{};
  }

  domain::portfolio_account stored() { return store::read_account(session(), account_id(1)).value().account; }

  std::vector<store::office_mark> marks() {
    const auto id = account_id(1);
    return store::marks_of(session(), {&id, 1});
  }

  domain::portfolio_account& account() { return file.accounts[0]; }
  std::vector<domain::portfolio_unit>& units() { return account().properties[0].units; }

  domain::portfolio file = sample_portfolio(2);
};

/// Returns the numbers of the account's units, by property.
inline std::vector<std::vector<unsigned>> unit_numbers(const domain::portfolio_account& account) {
  std::vector<std::vector<unsigned>> numbers;
  for (const auto& property : account.properties) {
    numbers.emplace_back();
    for (const auto& unit : property.units) numbers.back().push_back(unit.terms.id.data[15]);
    std::ranges::sort(numbers.back());
  }
  return numbers;
}

inline domain::portfolio_unit unit_in(const domain::portfolio_account& account, unsigned long number) {
  for (const auto& property : account.properties)
    for (const auto& unit : property.units)
      if (unit.terms.id == unit_id(number)) return unit;
  throw std::runtime_error("no such unit");
}

inline domain::portfolio_property property_with(unsigned long number,
                                                std::vector<domain::portfolio_unit> units) {
  domain::portfolio_property property;
  property.details.id = property_id(number);
  property.details.internal_name = "Calle Mayor " + std::to_string(number);
  property.units = std::move(units);
  return property;
}

} // namespace roost::testing
