#include "actors/usage/usage_ledger.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <regex>

namespace roost::testing::usage_ledger_test {

/// What a storage actor does, and when, as a test says.
class scripted_storage {
public:
  void allow(int jobs) {
    const std::lock_guard lock{mutex_};
    allowed_ += jobs;
    changed_.notify_all();
  }
  void fail_next(actors::storage_error why) {
    const std::lock_guard lock{mutex_};
    failures_.push_back(why);
  }
  void wait_for_begun(int jobs) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return begun_ >= jobs; });
  }
  int begun() {
    const std::lock_guard lock{mutex_};
    return begun_;
  }

  caf::result<actors::storage_result> run(const actors::storage_job& job, store::session& db) {
    {
      std::unique_lock lock{mutex_};
      ++begun_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return allowed_ > 0; });
      --allowed_;
      if (!failures_.empty()) {
        const auto why = failures_.front();
        failures_.pop_front();
        return make_error(why);
      }
    }
    try {
      return actors::storage_result{job.work(db)};
    } catch (const store::constraint_violated&) {
      return make_error(actors::storage_error::failed);
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int allowed_ = 0, begun_ = 0;
  std::deque<actors::storage_error> failures_;
};

struct session_state {
  std::unique_ptr<store::session> db;
};

actors::storage_actor::behavior_type
storage_behavior(actors::storage_actor::stateful_pointer<session_state> self, scripted_storage* script,
                 const std::string& url) {
  self->state.db = std::make_unique<store::session>(url);
  return {[self, script](const actors::storage_job& job) { return script->run(job, *self->state.db); }};
}

constexpr int any_number = 1000;

class UsageRecorder : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio(1));
    hold(take_lease(session()));
    storage_ = rt_.spawn_detached(storage_behavior, &storage, store().url());
    recorder_ = actors::spawn_usage_recorder(rt_, {storage_, held, &registry_, 5});
  }

  void TearDown() override {
    storage.allow(any_number);
    caf::anon_send_exit(recorder_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(storage_, caf::exit_reason::user_shutdown);
    recorder_ = nullptr;
    storage_ = nullptr;
    rt_.close_ports();
  }

  void hold(const store::lease& lease) { held->hold(lease, actors::held_lease::clock::now() + 1h); }

  domain::ai_usage_record record(unsigned long n) {
    domain::ai_usage_record made;
    made.id = numbered_id(40, n);
    made.account_id = account_id(1);
    made.provider = "vendor";
    made.model = "model";
    made.created_at = moment("2026-11-20T10:00:00.000Z");
    return made;
  }

  /// How many were taken.
  std::size_t offer(std::vector<domain::ai_usage_record> records) {
    std::size_t taken = 0;
    caf::scoped_actor self{rt_.system()};
    self->request(recorder_, caf::infinite, actors::record_usage{std::move(records)})
        .receive([&](const actors::usage_taken& answer) { taken = answer.count; },
                 [](const caf::error&) { ADD_FAILURE() << "the recorder has ended"; });
    return taken;
  }

  void flush() {
    caf::scoped_actor self{rt_.system()};
    self->request(recorder_, caf::infinite, actors::flush_usage{})
        .receive([](const actors::usage_flushed&) {},
                 [](const caf::error&) { ADD_FAILURE() << "the recorder has ended"; });
  }

  std::int64_t stored() { return count_rows(session(), "ai_usage"); }

  unsigned long counted(const std::string& sample) {
    const auto text = registry_.scrape();
    std::smatch found;
    return std::regex_search(text, found, std::regex(sample + " (\\d+)")) ? std::stoul(found[1]) : 0;
  }
  unsigned long dropped(const std::string& reason) {
    return counted(R"(roost_ai_usage_dropped_total\{reason=")" + reason + R"("\})");
  }

  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  scripted_storage storage;

private:
  metrics::registry registry_;
  actors::runtime rt_{actors::scheduler_knobs{}, [](auto, auto) { ADD_FAILURE() << "an actor has failed"; }};
  actors::storage_actor storage_;
  actors::usage_recorder recorder_;
};
ROOST_ON_EACH_STORE(UsageRecorder);

TEST_P(UsageRecorder, TakesRecordsBeforeTheyAreWritten) {
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  EXPECT_EQ(stored(), 0);
  storage.allow(any_number);
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(counted("roost_ai_usage_recorded_total"), 2U);
}

TEST_P(UsageRecorder, TakesNoMoreThanItHasRoomForWhileTheStoreIsStuck) {
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  storage.wait_for_begun(1);
  EXPECT_EQ(offer({record(3), record(4), record(5), record(6)}), 3U);
  EXPECT_EQ(offer({record(7)}), 0U);
  EXPECT_EQ(dropped("no_room"), 2U);
  storage.allow(any_number);
  flush();
  EXPECT_EQ(stored(), 5);
  EXPECT_EQ(offer({record(7)}), 1U);
}

TEST_P(UsageRecorder, WritesWhatComesDuringAWriteTogether) {
  offer({record(1)});
  storage.wait_for_begun(1);
  offer({record(2)});
  offer({record(3)});
  storage.allow(any_number);
  flush();
  EXPECT_EQ(stored(), 3);
  EXPECT_EQ(storage.begun(), 2);
}

TEST_P(UsageRecorder, KeepsRecordsThatTheStoreCannotTakeNow) {
  storage.fail_next(actors::storage_error::unavailable);
  storage.allow(1);
  EXPECT_EQ(offer({record(1)}), 1U);
  EXPECT_EQ(offer({record(2)}), 1U);
  storage.allow(any_number);
  storage.wait_for_begun(2); // tried again on its own
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(dropped("not_written"), 0U);
}

TEST_P(UsageRecorder, LosesOnlyTheRecordThatTheStoreRefuses) {
  auto broken = record(2);
  broken.provider = std::string("a\0b", 3);
  storage.allow(any_number);
  offer({record(1), broken, record(3)});
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(dropped("not_written"), 1U);
}

TEST_P(UsageRecorder, CountsRecordsOfAccountsThatDoNotExist) {
  auto stranger = record(2);
  stranger.account_id = account_id(77);
  storage.allow(any_number);
  EXPECT_EQ(offer({record(1), stranger}), 2U);
  flush();
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(dropped("no_account"), 1U);
}

TEST_P(UsageRecorder, DoesNotCountARecordTwice) {
  storage.allow(any_number);
  offer({record(1)});
  flush();
  offer({record(1), record(2)});
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(counted("roost_ai_usage_recorded_total"), 2U);
}

TEST_P(UsageRecorder, GivesUpAtTheEndWhatItMayNotWrite) {
  held->give_up();
  storage.allow(any_number);
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  flush();
  EXPECT_EQ(storage.begun(), 0);
  EXPECT_EQ(dropped("not_written"), 2U);
}

} // namespace roost::testing::usage_ledger_test
