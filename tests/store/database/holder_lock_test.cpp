#include "store/database/connection.hpp"
#include "store/database/holder_lock.hpp"
#include "store/database/lease_claim.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace roost::testing::holder_lock_test {
using namespace std::chrono_literals;

constexpr const char* locked_store = "ROOST_TEST_LOCKED_STORE"; // an environment variable

/// Takes the lock before any test when the program runs as a holder_process.
class lock_holding : public ::testing::Environment {
public:
  void SetUp() override {
    const char* url = std::getenv(locked_store);
    if (!url) return;
    store::holder_lock lock(url);
    const char reply = lock.try_take() ? 'y' : 'n';
    if (write(STDERR_FILENO, &reply, 1) != 1) _exit(1);
    for (;;) pause();
  }
};
const auto* const environment = ::testing::AddGlobalTestEnvironment(new lock_holding);

/// A separate process that holds the lock until it is killed. It runs this program again, because the fork of
/// a process with threads must not start any.
class holder_process {
public:
  explicit holder_process(const std::string& url) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t output;
    posix_spawn_file_actions_init(&output);
    posix_spawn_file_actions_adddup2(&output, ends[1], STDERR_FILENO);
    std::string program = "/proc/self/exe", variable = locked_store + ("=" + url);
    std::array<char*, 2> arguments{program.data(), nullptr};
    std::vector<char*> variables{variable.data()};
    for (char** each = environ; *each; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    posix_spawn(&id_, program.c_str(), &output, nullptr, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&output);
    close(ends[1]);
    char reply = 'n';
    has_lock = read(ends[0], &reply, 1) == 1 && reply == 'y';
    close(ends[0]);
  }
  ~holder_process() { end(); }
  holder_process(const holder_process&) = delete;
  holder_process& operator=(const holder_process&) = delete;

  void end() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    id_ = 0;
  }

  bool has_lock = false;

private:
  pid_t id_ = 0;
};

ROOST_FOR_EACH_STORE(HolderLock);

TEST_P(HolderLock, IsExclusiveUntilReleased) {
  store::holder_lock first(store().url()), second(store().url());
  ASSERT_TRUE(first.try_take());
  EXPECT_TRUE(first.try_take()) << "already held";
  EXPECT_FALSE(second.try_take());
  const auto name = first.name();
  EXPECT_FALSE(name.empty());
  const auto certainty = first.certainty();
  EXPECT_TRUE(eventually([&] { return certainty->is_certain(store::lock_certainty::clock::now()); }));
  first.release();
  EXPECT_FALSE(certainty->is_certain(store::lock_certainty::clock::now()));
  EXPECT_TRUE(eventually([&] { return second.try_take(); }));
  EXPECT_EQ(second.name(), name);
}

TEST_P(HolderLock, IsFreedWhenItsProcessIsKilled) {
  holder_process holder(store().url());
  ASSERT_TRUE(holder.has_lock);
  store::holder_lock next(store().url());
  EXPECT_FALSE(next.try_take());
  holder.end();
  EXPECT_TRUE(eventually([&] { return next.try_take(); }));
}

class HolderLockInPostgresql : public HolderLock {};
ROOST_ON_POSTGRESQL(HolderLockInPostgresql);

TEST_P(HolderLockInPostgresql, EndsWithItsConnection) {
  store::holder_lock lock(store().url());
  ASSERT_TRUE(lock.try_take());
  const auto certainty = lock.certainty();
  store().cut_connections();
  EXPECT_TRUE(eventually([&] { return certainty->has_ended(); }));
  EXPECT_FALSE(certainty->is_certain(store::lock_certainty::clock::now()));
  EXPECT_FALSE(lock.is_held());
  EXPECT_TRUE(eventually([&] { return lock.try_take(); }));
  EXPECT_FALSE(certainty->is_certain(store::lock_certainty::clock::now())) << "belongs to the lost lock";
}

class HolderLockInSqlite : public HolderLock {};
ROOST_ON_STORES(OnSqlite, HolderLockInSqlite, store_kind::sqlite);

TEST_P(HolderLockInSqlite, HasAnotherNameAfterItsFileWasDeleted) {
  store::holder_lock first(store().url()), second(store().url());
  ASSERT_TRUE(first.try_take());
  std::filesystem::remove(session().internals().file() + ".lock");
  ASSERT_TRUE(second.try_take());
  EXPECT_NE(first.name(), second.name());
}

class LeaseClaim : public on_each_store {
protected:
  /// Returns a lease whose holder no longer holds its lock.
  std::optional<store::lease> abandoned_lease() {
    store::lease_claim holder(store().url(), "node-a", 1h);
    const auto taken = holder.try_take(session());
    return taken ? std::optional(taken->held) : std::nullopt;
  }

  std::optional<store::taken_lease> take_within(std::chrono::milliseconds limit, store::lease_claim& claim) {
    std::optional<store::taken_lease> taken;
    eventually([&] { return (taken = claim.try_take(session())).has_value(); }, limit);
    return taken;
  }
};
ROOST_ON_EACH_STORE(LeaseClaim);

TEST_P(LeaseClaim, TakesALeaseImmediatelyWhenItsLockIsFree) {
  const auto old = abandoned_lease();
  ASSERT_TRUE(old);
  store::lease_claim next(store().url(), "node-b", 1h);
  const auto taken = take_within(10s, next);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->held.epoch, old->epoch + 1);
  EXPECT_FALSE(store::renew(session(), *old, 1h));
}

TEST_P(LeaseClaim, RespectsAHolderWithItsLock) {
  store::lease_claim holder(store().url(), "node-a", 1h), other(store().url(), "node-b", 1h);
  const auto held = holder.try_take(session());
  ASSERT_TRUE(held);
  EXPECT_FALSE(take_within(600ms, other));
  EXPECT_EQ(holder.renew(session(), held->held), store::lease_claim::renewal::renewed);
}

/// A claim of `serve --hold`, which must not take a live store from its servers.
class InspectingClaim : public LeaseClaim {
protected:
  static constexpr const char* node = "on hold/node-h";
  store::lease_claim claim_{store().url(), node, 1h, store::lease_use::inspect};
};
ROOST_ON_EACH_STORE(InspectingClaim);

TEST_P(InspectingClaim, TakesAStoreWithoutAServerAndYieldsToAServer) {
  const auto held = claim_.try_take(session());
  ASSERT_TRUE(held);
  EXPECT_FALSE(store::serving_server(session()));
  store::lease_claim server(store().url(), "node-a", 1h);
  const auto taken = server.try_take(session());
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->held.epoch, held->held.epoch + 1);
  EXPECT_EQ(store::serving_server(session()), "node-a");
  EXPECT_EQ(claim_.renew(session(), held->held), store::lease_claim::renewal::lost);
  EXPECT_FALSE(claim_.try_take(session()));
  EXPECT_TRUE(eventually([&] { return server.should_renew_now(); })) << "the lock is for the server";
}

TEST_P(InspectingClaim, NeverTakesAStoreWithAServerWhoseLeaseExpired) {
  ASSERT_TRUE(store::try_acquire(session(), "node-a", 0ms));
  EXPECT_FALSE(take_within(600ms, claim_));
  EXPECT_FALSE(store::try_acquire(session(), node, 1h, {}, {}, store::lease_use::inspect));
}

TEST_P(InspectingClaim, NeverTakesAStoreWhoseServerIsGone) {
  const auto gone = abandoned_lease();
  ASSERT_TRUE(gone);
  EXPECT_FALSE(take_within(600ms, claim_));
  EXPECT_FALSE(store::try_acquire(session(), node, 1h, {}, gone->epoch, store::lease_use::inspect));
}

TEST_P(InspectingClaim, NeverTakesAStoreWhoseServerRestarts) {
  const auto server = store::try_acquire(session(), "node-a", 1h).value();
  EXPECT_FALSE(claim_.try_take(session()));
  store::release(session(), server.held);
  EXPECT_FALSE(take_within(600ms, claim_));
  store::lease_claim later(store().url(), node, 1h, store::lease_use::inspect);
  EXPECT_TRUE(later.try_take(session())) << "it has not seen a server";
}

TEST_P(LeaseClaim, RespectsAHolderWithoutALock) {
  ASSERT_TRUE(store::try_acquire(session(), "node-a", 1h));
  store::lease_claim other(store().url(), "node-b", 1h);
  EXPECT_FALSE(take_within(600ms, other));
  store::holder_lock lock(store().url());
  EXPECT_TRUE(lock.try_take()) << "the claim must not keep it from the holder";
}

TEST_P(LeaseClaim, RespectsAHolderWithAnotherLock) {
  ASSERT_TRUE(store::try_acquire(session(), "node-a", 1h, "another lock"));
  store::lease_claim other(store().url(), "node-b", 1h);
  EXPECT_FALSE(take_within(600ms, other));
}

/// A program version without locks keeps the lock name of the previous epoch.
TEST_P(LeaseClaim, IgnoresTheLockOfAnEarlierEpoch) {
  ASSERT_TRUE(abandoned_lease());
  session().internals().script("older_program", "update writer_lease set epoch = epoch + 1");
  store::lease_claim other(store().url(), "node-b", 1h);
  EXPECT_FALSE(take_within(600ms, other));
}

TEST_P(LeaseClaim, WaitsOneLeaseLengthForAnImplausibleExpiry) {
  ASSERT_TRUE(store::try_acquire(session(), "node-a", 1000h));
  store::lease_claim other(store().url(), "node-b", 400ms);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(other.try_take(session()));
  EXPECT_TRUE(take_within(10s, other));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 400ms);
}

TEST_P(LeaseClaim, RespectsAHolderWithAWrongClockWhileItRenews) {
  const auto held = store::try_acquire(session(), "node-a", 1000h);
  ASSERT_TRUE(held);
  store::lease_claim other(store().url(), "node-b", 200ms);
  const auto end = std::chrono::steady_clock::now() + 800ms;
  while (std::chrono::steady_clock::now() < end) {
    ASSERT_FALSE(other.try_take(session()));
    ASSERT_TRUE(store::renew(session(), held->held, 1000h));
  }
}

TEST_P(LeaseClaim, CannotBeRenewedAfterRevocation) {
  const auto held = store::try_acquire(session(), "node-a", 1h);
  ASSERT_TRUE(held);
  EXPECT_TRUE(store::revoke(session(), held->held));
  EXPECT_FALSE(store::revoke(session(), held->held));
  EXPECT_FALSE(store::renew(session(), held->held, 1h));
  EXPECT_EQ(store::try_acquire(session(), "node-b", 1h)->held.epoch, held->held.epoch + 2);
}

class LeaseClaimInPostgresql : public LeaseClaim {};
ROOST_ON_POSTGRESQL(LeaseClaimInPostgresql);

TEST_P(LeaseClaimInPostgresql, DoesNotRenewWithoutTheLockItWasUsedWith) {
  store::lease_claim holder(store().url(), "node-a", 1h);
  const auto held = holder.try_take(session());
  ASSERT_TRUE(held);
  const auto certainty = holder.certainty();
  session().connect();
  store().cut_connections();
  ASSERT_TRUE(eventually([&] { return certainty->has_ended(); }));
  auto fresh = store().open();
  store::holder_lock rival(store().url());
  ASSERT_TRUE(eventually([&] { return rival.try_take(); }));
  EXPECT_EQ(holder.renew(fresh, held->held), store::lease_claim::renewal::unlocked);
  rival.release();
  EXPECT_TRUE(
      eventually([&] { return holder.renew(fresh, held->held) == store::lease_claim::renewal::renewed; }));
  EXPECT_TRUE(holder.certainty());
}

} // namespace roost::testing::holder_lock_test
