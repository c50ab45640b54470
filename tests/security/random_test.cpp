#include "security/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unordered_set>
#include <vector>

namespace roost::security::random_test {

using namespace std::chrono_literals;

int version_of(const domain::uuid& id) { return id.data[6] >> 4; }
bool has_proper_variant(const domain::uuid& id) { return (id.data[8] & 0xc0) == 0x80; }

std::uint64_t milliseconds_in(const domain::uuid& id) {
  std::uint64_t value = 0;
  for (int i = 0; i < 6; ++i) value = value << 8 | id.data[i];
  return value;
}

const std::chrono::system_clock::time_point now = std::chrono::sys_seconds(1'790'000'000s);

TEST(RandomUuids, AreOfVersionFour) {
  for (int i = 0; i < 1000; ++i) {
    const auto id = random_uuid();
    EXPECT_EQ(version_of(id), 4);
    EXPECT_TRUE(has_proper_variant(id));
    EXPECT_TRUE(domain::is_rfc_uuid(domain::to_string(id)));
  }
}

TEST(RandomUuids, DifferOnEveryThread) {
  constexpr std::size_t count = 5000;
  std::vector<std::vector<domain::uuid>> ids_by_thread(4);
  std::vector<std::thread> threads;
  for (auto& ids : ids_by_thread)
    threads.emplace_back([&ids] { std::generate_n(std::back_inserter(ids), count, random_uuid); });
  for (auto& thread : threads) thread.join();
  std::unordered_set<domain::uuid, domain::uuid_hash> all;
  for (const auto& ids : ids_by_thread) all.insert(ids.begin(), ids.end());
  EXPECT_EQ(all.size(), count * ids_by_thread.size());
}

TEST(RandomUuids, DifferInAForkedProcess) {
  random_uuid(); // fills the parent's buffer
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const auto child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto id = random_uuid();
    const auto written = ::write(pipe_ends[1], id.data, sizeof id.data);
    ::_exit(written == static_cast<ssize_t>(sizeof id.data) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  domain::uuid from_child;
  ASSERT_EQ(::read(pipe_ends[0], from_child.data, sizeof from_child.data),
            static_cast<ssize_t>(sizeof from_child.data));
  EXPECT_NE(random_uuid(), from_child);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

TEST(TimeOrderedUuids, AreOfVersionSevenAndContainTheMillisecond) {
  const auto id = time_ordered_uuid(now + 123ms + 456us);
  EXPECT_EQ(version_of(id), 7);
  EXPECT_TRUE(has_proper_variant(id));
  EXPECT_EQ(milliseconds_in(id), 1'790'000'000'123U);
}

TEST(TimeOrderedUuids, SortByTimeWithinAMillisecond) {
  domain::uuid earlier = time_ordered_uuid(now);
  for (int i = 1; i <= 5000; ++i) {
    const auto later = time_ordered_uuid(now + i * 1us);
    ASSERT_LT(earlier, later) << i;
    earlier = later;
  }
}

TEST(TimeOrderedUuids, DifferAtTheSameInstant) {
  std::set<domain::uuid> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(time_ordered_uuid(now));
  EXPECT_EQ(ids.size(), 10'000U);
}

TEST(TimeOrderedUuids, TreatTimesBefore1970As1970) {
  EXPECT_EQ(milliseconds_in(time_ordered_uuid(std::chrono::system_clock::time_point(-1h))), 0U);
}

TEST(RandomBytes, FillTheWholeSpan) {
  std::array<unsigned char, 64> bytes{};
  fill_random(bytes);
  EXPECT_GT(std::set<unsigned char>(bytes.begin(), bytes.end()).size(), 16U);
  fill_random({});
}

} // namespace roost::security::random_test
