#pragma once

#include "store/office/blocks.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// The office of the first account, without imported blocks unless a test adds one, and helpers that write as
/// a user of it.
class office_scene : public on_each_store {
protected:
  void SetUp() override {
    file_ = sample_portfolio(2);
    for (auto& account : file_.accounts)
      for (auto& unit : account.properties[0].units) unit.blocks.clear();
    node_.emplace(session());
    import();
  }

  void import() {
    import_sample(session(), file_);
    node_->follow();
  }

  /// Imports, and sets back what the office has changed.
  void import_over_the_office() {
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.overwrite_office = true;
    const auto result = store::import_portfolio(session(), file_, context);
    ASSERT_FALSE(result.refused_by_office);
    node_->follow();
  }

  /// Imports a block of the first unit, and returns it as it is stored.
  store::office_block imported(const char* first, const char* last) {
    file_.accounts[0].properties[0].units[0].blocks = {{.nights = {day(first), day(last)}}};
    import();
    return blocks().at(0);
  }

  static store::block_creation creation(const char* first, const char* last, domain::uuid id = fresh_id()) {
    return {unit_id(1), id, {day(first), last != nullptr ? day(last) : domain::no_end}, "Paint", {}};
  }

  store::office_author author() {
    const auto now = moment("2026-11-21T09:00:00.000Z") + std::chrono::minutes{++minutes_};
    return {"ana@landlord.example", now, {fresh_id(), now, "user ana@landlord.example", "block", "", ""}};
  }

  store::block_outcome create(const store::block_creation& request) {
    return store::create_block(session(), node_->lease, scope, request, author());
  }
  store::block_outcome create(const char* first, const char* last) { return create(creation(first, last)); }

  store::block_outcome change(const domain::uuid& id,
                              const std::function<std::string(store::office_block&)>& apply,
                              const store::block_condition& is_current = always) {
    return store::change_block(session(), node_->lease, scope, {unit_id(1), id, is_current, apply, {}},
                               author());
  }
  store::block_outcome move(const domain::uuid& id, const char* first, const char* last) {
    return change(id, [=](store::office_block& block) {
      block.block.nights = {day(first), day(last)};
      return std::string{};
    });
  }

  store::block_outcome erase(const domain::uuid& id, const store::block_condition& is_current = always) {
    return store::delete_block(session(), node_->lease, scope, {unit_id(1), id, is_current}, author());
  }

  std::vector<store::office_block> blocks() {
    return store::list_blocks(session(), scope, unit_id(1), {}, 1'000).value().items;
  }

  /// Books the first unit.
  domain::uuid book(const char* check_in, const char* check_out) {
    auto request = sample_request(++number_);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    node_->insert({request});
    const auto decision = accept(request, unit_id(1));
    node_->decide({decision});
    return decision.booking->id;
  }

  static bool always(const store::office_block&) { return true; }
  static bool never(const store::office_block&) { return false; }

  store::office_scope scope{account_id(1), {}};
  domain::portfolio file_;
  std::optional<writer> node_;

private:
  int minutes_ = 0;
  unsigned long number_ = 0;
};

} // namespace roost::testing
