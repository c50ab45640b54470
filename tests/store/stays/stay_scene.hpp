#pragma once

#include "store/office/office_write.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace roost::testing {

/// The office of the first account, whose property has an owner, and requests of platforms.
class stay_scene : public on_each_store {
protected:
  void SetUp() override {
    for (auto& account : file_.accounts)
      for (auto& unit : account.properties[0].units) unit.blocks.clear();
    file_.accounts[0].properties[0].details.owner_id = owner_id;
    node_.emplace(session());
    import();
  }

  void import() {
    import_sample(session(), file_);
    node_->follow();
  }

  store::office_author author() {
    const auto now = moment("2026-11-21T09:00:00.000Z") + std::chrono::minutes{++minutes_};
    return {"ana@landlord.example", now, {fresh_id(), now, "user ana@landlord.example", "change", "", ""}};
  }

  /// Stores a request of marketplace A and decides it. Returns the decision.
  domain::decision decide(unsigned long number, bool is_accepted,
                          const std::function<void(domain::booking_request&)>& edit = {}) {
    const auto request = requested(number, edit);
    auto decision = is_accepted ? accept(request, unit_id(1)) : refuse(request);
    node_->decide({decision});
    return decision;
  }

  /// Stores a request that is not decided.
  domain::booking_request requested(unsigned long number,
                                    const std::function<void(domain::booking_request&)>& edit = {}) {
    auto request = sample_request(number);
    request.received_at += std::chrono::minutes{number};
    if (edit) edit(request);
    node_->insert({request});
    return request;
  }

  const domain::uuid owner_id = numbered_id(50, 1);
  const store::office_scope scope{account_id(1), {}}, of_owner{account_id(1), owner_id},
      of_other_owner{account_id(1), numbered_id(50, 2)}, other_account{account_id(2), {}};
  domain::portfolio file_ = sample_portfolio(2);
  std::optional<writer> node_;

private:
  int minutes_ = 0;
};

} // namespace roost::testing
