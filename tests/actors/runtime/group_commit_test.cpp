#include "actors/runtime/group_commit.hpp"
#include "actors/runtime/runtime.hpp"
#include "store/database/error.hpp"
#include "store/database/session.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace roost::testing::group_commit_test {

using namespace std::chrono_literals;
using actors::storage_error;

/// Lets storage jobs start, but end only when the test allows it. Records the size of each group.
class gate {
public:
  void pass(std::size_t group_size) {
    std::unique_lock lock{mutex_};
    started_.push_back(group_size);
    changed_.notify_all();
    changed_.wait(lock, [&] { return allowed_ > 0; });
    --allowed_;
  }
  void allow(int jobs) {
    const std::lock_guard lock{mutex_};
    allowed_ += jobs;
    changed_.notify_all();
  }
  std::vector<std::size_t> wait_for_started(std::size_t groups) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return started_.size() >= groups; });
    return started_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int allowed_ = 0;
  std::vector<std::size_t> started_;
};

actors::storage_actor::behavior_type lane(actors::storage_actor::pointer) {
  return {[](const actors::storage_job& job) -> caf::result<actors::storage_result> {
    store::session db{"sqlite3:///never-opened.db"};
    try {
      return actors::storage_result{job.work(db)};
    } catch (const store::unavailable&) {
      return make_error(storage_error::unavailable);
    } catch (const store::constraint_violated&) {
      return make_error(storage_error::conflicting_row);
    } catch (const std::exception&) {
      return make_error(storage_error::failed);
    }
  }};
}

constexpr int unavailable_number = 13;
constexpr int conflicting_number = 17;

/// Doubles numbers in groups; refuses a group with a negative one, fails as unavailable with
/// `unavailable_number`, and with `conflicting_number` because of another row. A bool is a ping.
using doubler = caf::typed_actor<caf::replies_to<int>::with<int>, caf::replies_to<bool>::with<bool>>;

struct doubler_state {
  static constexpr const char* name = "doubler";
  using commit = actors::request_commit<doubler::stateful_base<doubler_state>, int, int>;
  commit doubled;
};

doubler::behavior_type doubler_behavior(doubler::stateful_pointer<doubler_state> self,
                                        doubler_state::commit::setup setup, actors::deadline until) {
  self->state.doubled.open(self, std::move(setup));
  return {[self, until](int number) -> caf::result<int> { return self->state.doubled.add(number, until); },
          [](bool ping) { return ping; }};
}

class GroupCommit : public ::testing::Test {
protected:
  void SetUp() override {
    held->hold({}, actors::held_lease::clock::now() + 1h);
    for (auto& each : lanes) each = rt.spawn_detached(lane);
  }
  void TearDown() override {
    passage.allow(1'000);
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    actor = nullptr;
    for (auto& each : lanes) {
      caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
      each = nullptr;
    }
  }

  void open(std::size_t lane_count, actors::deadline until = {}, doubler_state::commit::setup setup = {}) {
    setup.kind = "double";
    setup.lanes.assign(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(lane_count));
    setup.lease = held;
    setup.begin = [this] {
      return [this](store::session&, const store::lease&, const std::vector<int>& numbers) {
        passage.pass(numbers.size());
        std::vector<int> doubled;
        for (const int number : numbers) {
          if (number == unavailable_number) throw store::unavailable("away");
          if (number == conflicting_number && conflicts > 0) {
            --conflicts;
            throw store::constraint_violated(store::violation::conflicting_row, "another_row");
          }
          if (number < 0) throw std::runtime_error("a negative number");
          doubled.push_back(number * 2);
        }
        return doubled;
      };
    };
    actor = rt.spawn_at(0, doubler_behavior, std::move(setup), until);
  }

  using handle = decltype(std::declval<caf::scoped_actor&>()->request(doubler{}, caf::infinite, 1));

  /// Returns once the actor has received all requests.
  std::vector<handle> send(int count, int first = 1) {
    std::vector<handle> pending;
    for (int i = 0; i < count; ++i) pending.push_back(self->request(actor, caf::infinite, first + i));
    self->request(actor, caf::infinite, true).receive([](bool) {}, [](const caf::error&) { FAIL(); });
    return pending;
  }
  int result_of(handle pending) {
    int result = 0;
    pending.receive([&](int response) { result = response; },
                    [&](const caf::error& failure) { error = failure; });
    return result;
  }

  gate passage;
  std::atomic<int> conflicts = 0; ///< of later commits with `conflicting_number`
  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  actors::runtime rt{actors::scheduler_knobs{}};
  std::array<actors::storage_actor, 2> lanes;
  doubler actor;
  caf::scoped_actor self{rt.system()};
  caf::error error;
};

TEST_F(GroupCommit, ReturnsItsOwnResultToEachCaller) {
  open(1);
  passage.allow(10);
  auto pending = send(3, 5);
  EXPECT_EQ(result_of(std::move(pending[0])), 10);
  EXPECT_EQ(result_of(std::move(pending[1])), 12);
  EXPECT_EQ(result_of(std::move(pending[2])), 14);
}

TEST_F(GroupCommit, GroupsRequestsThatArriveDuringACommit) {
  open(1);
  send(1);
  passage.wait_for_started(1);
  send(602);
  passage.allow(4);
  EXPECT_EQ(passage.wait_for_started(3), (std::vector<std::size_t>{1, 500, 102}));
}

TEST_F(GroupCommit, LimitsTheWeightOfAGroup) {
  doubler_state::commit::setup setup;
  setup.weight = [](int number) { return static_cast<std::size_t>(number); };
  setup.max_weight = 10;
  open(1, {}, std::move(setup));
  send(1);
  passage.wait_for_started(1);
  send(3, 1); // 1 + 2 + 3
  send(1, 4);
  send(1, 1);
  send(1, 11); // alone, though it is too heavy
  send(1, 10);
  passage.allow(10);
  EXPECT_EQ(passage.wait_for_started(5), (std::vector<std::size_t>{1, 4, 1, 1, 1}));
}

TEST_F(GroupCommit, UsesASecondLaneOnceTheGroupIsAsLargeAsUsual) {
  open(2);
  send(1);
  send(1);
  passage.wait_for_started(2); // both lanes are busy
  send(100);
  passage.allow(1);
  passage.wait_for_started(3); // groups have 12.7 items in the mean
  passage.allow(1);
  send(12);
  send(1);
  EXPECT_EQ(passage.wait_for_started(4), (std::vector<std::size_t>{1, 1, 100, 13}));
}

TEST_F(GroupCommit, RefusesOnlyTheRejectedItemsOfAGroupAndContinues) {
  for (const int lane_count : {1, 2}) {
    open(static_cast<std::size_t>(lane_count));
    send(lane_count, 1); // all lanes are busy
    auto pending = send(8, -2);
    passage.allow(100);
    for (int number = -2; auto& one : pending) {
      error = {};
      const auto result = result_of(std::move(one));
      EXPECT_EQ(error, number < 0 ? make_error(storage_error::failed) : caf::error{}) << number;
      EXPECT_EQ(result, number < 0 ? 0 : number * 2);
      ++number;
    }
    EXPECT_EQ(result_of(std::move(send(1, 4)[0])), 8);
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  }
}

TEST_F(GroupCommit, HalvesARejectedGroupBeforeItCommitsLaterItems) {
  open(1);
  send(1);
  passage.wait_for_started(1);
  send(8, -1); // the first one is rejected
  passage.allow(2);
  passage.wait_for_started(3);
  send(20);
  passage.allow(100);
  EXPECT_EQ(passage.wait_for_started(9), (std::vector<std::size_t>{1, 8, 4, 2, 1, 1, 2, 4, 20}));
}

TEST_F(GroupCommit, CommitsAnItemOnceMoreIfItsConflictMayHavePassed) {
  open(1);
  send(1);
  passage.wait_for_started(1);
  conflicts = 3; // of all four, of the first half, and alone
  auto pending = send(4, conflicting_number - 1);
  passage.allow(100);
  for (int number = conflicting_number - 1; auto& each : pending)
    EXPECT_EQ(result_of(std::move(each)), 2 * number++);
  EXPECT_EQ(passage.wait_for_started(7), (std::vector<std::size_t>{1, 4, 2, 1, 1, 1, 2}));
}

TEST_F(GroupCommit, RefusesAnItemThatConflictsAgain) {
  open(1);
  send(1);
  passage.wait_for_started(1);
  conflicts = 2;
  auto pending = send(1, conflicting_number);
  passage.allow(100);
  EXPECT_EQ(result_of(std::move(pending[0])), 0);
  EXPECT_EQ(error, make_error(storage_error::invalid_value));
  EXPECT_EQ(passage.wait_for_started(3), (std::vector<std::size_t>{1, 1, 1}));
}

TEST_F(GroupCommit, RefusesAWholeGroupWhileTheStoreIsUnavailable) {
  open(1);
  send(1);
  passage.wait_for_started(1);
  auto pending = send(4, unavailable_number);
  passage.allow(100);
  for (auto& each : pending) {
    result_of(std::move(each));
    EXPECT_EQ(error, make_error(storage_error::unavailable));
  }
  EXPECT_EQ(passage.wait_for_started(2), (std::vector<std::size_t>{1, 4}));
}

TEST_F(GroupCommit, RefusesImmediatelyWithoutTheLease) {
  open(1);
  held->give_up();
  auto pending = send(3);
  for (auto& each : pending) {
    result_of(std::move(each));
    EXPECT_EQ(error, make_error(storage_error::lease_lost));
  }
}

TEST_F(GroupCommit, StartsNothingForCallersThatStoppedWaiting) {
  open(1, actors::deadline::in(-1ms));
  auto pending = send(3);
  for (auto& each : pending) {
    result_of(std::move(each));
    EXPECT_EQ(error, make_error(storage_error::unavailable));
  }
}

} // namespace roost::testing::group_commit_test
