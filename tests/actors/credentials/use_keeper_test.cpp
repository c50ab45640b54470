#include "actors/credentials/use_keeper.hpp"
#include "security/live_keys.hpp"
#include "store/credentials/credentials.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

namespace roost::testing::use_keeper_test {
using namespace std::chrono_literals;

const auto nine = moment("2026-11-20T09:00:00Z");
const auto key = numbered_id(30, 1);

class UseKeeper : public on_each_store {
protected:
  void SetUp() override { lease_ = take_lease(session()); }

  void TearDown() override {
    caf::anon_send_exit(keeper_, caf::exit_reason::user_shutdown);
    keeper_ = nullptr;
    pool_.stop();
    rt_.close_ports();
  }

  void start(std::chrono::milliseconds interval) {
    keeper_ = actors::spawn_use_keeper(rt_, {pool_.at(actors::storage_pool::side_lane::management), held_,
                                             [uses = uses_] { return uses->take(); }, interval});
  }

  void hold() { held_->hold(lease_, actors::held_lease::clock::now() + 1h); }

  void flush() {
    caf::scoped_actor self{rt_.system()};
    self->request(keeper_, caf::infinite, actors::flush_uses{})
        .receive([](const actors::uses_flushed&) {},
                 [](const caf::error&) { ADD_FAILURE() << "the keeper has ended"; });
  }

  bool is_stored() { return store::last_uses(session()).contains(key); }

  std::shared_ptr<security::last_uses> uses_ = std::make_shared<security::last_uses>();
  std::shared_ptr<security::last_use> use_ = uses_->of(key);

private:
  store::lease lease_;
  std::shared_ptr<actors::held_lease> held_ = std::make_shared<actors::held_lease>();
  metrics::registry registry_;
  actors::runtime rt_{actors::scheduler_knobs{}};
  actors::storage_pool pool_{rt_, store().url(), 1, registry_};
  actors::use_keeper keeper_;
};

ROOST_ON_EACH_STORE(UseKeeper);

TEST_P(UseKeeper, WritesPeriodically) {
  hold();
  start(10ms);
  use_->note(nine);
  EXPECT_TRUE(eventually([&] { return is_stored(); }));
}

TEST_P(UseKeeper, WritesPendingUsesOnFlush) {
  hold();
  start(1h);
  use_->note(nine);
  flush();
  EXPECT_TRUE(is_stored());
}

TEST_P(UseKeeper, KeepsPendingUsesUntilItHasTheLease) {
  start(1h);
  use_->note(nine);
  flush();
  EXPECT_FALSE(is_stored()) << "without the lease";
  hold();
  flush();
  EXPECT_TRUE(is_stored());
}

TEST_P(UseKeeper, LosesOnlyTheUseThatTheStoreRejects) {
  const auto rejected = numbered_id(30, 2);
  reject_rows(session(), "credential_uses",
              "cast(new.credential_id as text) = '" + domain::to_string(rejected) + "'");
  hold();
  start(1h);
  uses_->of(rejected)->note(nine);
  use_->note(nine);
  flush();
  EXPECT_TRUE(is_stored());
  EXPECT_EQ(store::last_uses(session()).size(), 1U);
}

} // namespace roost::testing::use_keeper_test
