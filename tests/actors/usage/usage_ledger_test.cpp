#include "actors/usage/usage_ledger.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/metric_value.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace roost::testing::usage_ledger_test {

/// The jobs of a storage actor, which run or fail only when the test allows it.
class scripted_storage {
public:
  void allow(int jobs) {
    const std::lock_guard lock{mutex_};
    allowed_ += jobs;
    changed_.notify_all();
  }
  void fail_next(actors::storage_error error) {
    const std::lock_guard lock{mutex_};
    failures_.push_back(error);
  }
  void wait_for_started(int jobs) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return started_ >= jobs; });
  }
  int started() {
    const std::lock_guard lock{mutex_};
    return started_;
  }

  caf::result<actors::storage_result> run(const actors::storage_job& job, store::session& db) {
    {
      std::unique_lock lock{mutex_};
      ++started_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return allowed_ > 0; });
      --allowed_;
      if (!failures_.empty()) {
        const auto error = failures_.front();
        failures_.pop_front();
        return make_error(error);
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
  int allowed_ = 0, started_ = 0;
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

constexpr int unlimited = 1000;

class UsageRecorder : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio(1));
    hold(take_lease(session()));
    storage_ = rt_.spawn_detached(storage_behavior, &storage, store().url());
    recorder_ = actors::spawn_usage_recorder(rt_, {storage_, held, &registry_, 5});
  }

  void TearDown() override {
    storage.allow(unlimited);
    caf::anon_send_exit(recorder_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(storage_, caf::exit_reason::user_shutdown);
    recorder_ = nullptr;
    storage_ = nullptr;
    rt_.close_ports();
  }

  void hold(const store::lease& lease) { held->hold(lease, actors::held_lease::clock::now() + 1h); }

  domain::ai_usage_record record(unsigned long n) {
    domain::ai_usage_record record;
    record.id = numbered_id(40, n);
    record.account_id = account_id(1);
    record.provider = "vendor";
    record.model = "model";
    record.created_at = moment("2026-11-20T10:00:00.000Z");
    return record;
  }

  /// Returns the number of accepted records.
  std::size_t offer(std::vector<domain::ai_usage_record> records) {
    std::size_t accepted = 0;
    caf::scoped_actor self{rt_.system()};
    self->request(recorder_, caf::infinite, actors::record_usage{std::move(records)})
        .receive([&](const actors::usage_taken& response) { accepted = response.count; },
                 [](const caf::error&) { ADD_FAILURE() << "the recorder has ended"; });
    return accepted;
  }

  void flush() {
    caf::scoped_actor self{rt_.system()};
    self->request(recorder_, caf::infinite, actors::flush_usage{})
        .receive([](const actors::usage_flushed&) {},
                 [](const caf::error&) { ADD_FAILURE() << "the recorder has ended"; });
  }

  std::int64_t stored() { return count_rows(session(), "ai_usage"); }

  unsigned long counted(const std::string& sample) {
    return static_cast<unsigned long>(metric_value(registry_.scrape(), sample));
  }
  unsigned long dropped(const std::string& reason) {
    return counted(R"(roost_ai_usage_dropped_total{reason=")" + reason + R"("})");
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

TEST_P(UsageRecorder, AcceptsRecordsBeforeTheyAreWritten) {
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  EXPECT_EQ(stored(), 0);
  storage.allow(unlimited);
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(counted("roost_ai_usage_recorded_total"), 2U);
}

TEST_P(UsageRecorder, AcceptsOnlyAsManyRecordsAsFitWhileTheStoreIsStuck) {
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  storage.wait_for_started(1);
  EXPECT_EQ(offer({record(3), record(4), record(5), record(6)}), 3U);
  EXPECT_EQ(offer({record(7)}), 0U);
  EXPECT_EQ(dropped("no_room"), 2U);
  storage.allow(unlimited);
  flush();
  EXPECT_EQ(stored(), 5);
  EXPECT_EQ(offer({record(7)}), 1U);
}

TEST_P(UsageRecorder, WritesRecordsThatArriveDuringAWriteTogether) {
  offer({record(1)});
  storage.wait_for_started(1);
  offer({record(2)});
  offer({record(3)});
  storage.allow(unlimited);
  flush();
  EXPECT_EQ(stored(), 3);
  EXPECT_EQ(storage.started(), 2);
}

TEST_P(UsageRecorder, KeepsRecordsWhileTheStoreIsUnavailable) {
  storage.fail_next(actors::storage_error::unavailable);
  storage.allow(1);
  EXPECT_EQ(offer({record(1)}), 1U);
  EXPECT_EQ(offer({record(2)}), 1U);
  storage.allow(unlimited);
  storage.wait_for_started(2); // retries by itself
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(dropped("not_written"), 0U);
}

TEST_P(UsageRecorder, LosesOnlyTheRecordThatTheStoreRefuses) {
  auto broken = record(2);
  broken.provider = std::string("a\0b", 3);
  storage.allow(unlimited);
  offer({record(1), broken, record(3)});
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(dropped("not_written"), 1U);
}

TEST_P(UsageRecorder, CountsRecordsOfAccountsThatDoNotExist) {
  auto unknown = record(2);
  unknown.account_id = account_id(77);
  storage.allow(unlimited);
  EXPECT_EQ(offer({record(1), unknown}), 2U);
  flush();
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(dropped("no_account"), 1U);
}

TEST_P(UsageRecorder, DoesNotCountARecordTwice) {
  storage.allow(unlimited);
  offer({record(1)});
  flush();
  offer({record(1), record(2)});
  flush();
  EXPECT_EQ(stored(), 2);
  EXPECT_EQ(counted("roost_ai_usage_recorded_total"), 2U);
}

TEST_P(UsageRecorder, DropsItsRecordsAtTheEndWithoutTheLease) {
  held->give_up();
  storage.allow(unlimited);
  EXPECT_EQ(offer({record(1), record(2)}), 2U);
  flush();
  EXPECT_EQ(storage.started(), 0);
  EXPECT_EQ(dropped("not_written"), 2U);
}

} // namespace roost::testing::usage_ledger_test
