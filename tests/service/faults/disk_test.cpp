#include "service/support/fault_fixture.hpp"
#include "service/support/postgresql_cluster.hpp"
#include "service/support/store_faults.hpp"
#include "store/database/connection.hpp"

#include <sys/resource.h>

/// A disk that is temporarily full.
namespace roost::testing::disk_test {
using namespace std::chrono_literals;

constexpr std::chrono::seconds timeout{15};

/// Fills the disk under load and frees it again: every submission is stored or gets a busy response.
template <typename Fill, typename FreeSpace>
void expect_recovery(workplace& place, Fill fill, FreeSpace free_space) {
  booking_load load(prepare_load(place, 1));
  running_roost server(place);
  load.set_port(server.port());
  ASSERT_TRUE(load.wait_for_more(201, 50, timeout));
  fill(server);
  EXPECT_TRUE(load.wait_for_more(503, 20, timeout));
  EXPECT_EQ(server.ops("/healthz").status, 200U);
  free_space(server);
  EXPECT_TRUE(load.wait_for_more(201, 50, timeout));
  expect_consistent_responses(place, load.finish());
  server.wait_until_ready();
  EXPECT_EQ(server.stop(), 0);
}

TEST(FullDisk, MakesSqliteBusyWithoutLosingData) {
  if (!small_disk::is_supported()) GTEST_SKIP() << "only root can mount a file system";
  workplace place(store_kind::sqlite, false);
  const std::filesystem::path file = place.store().url().substr(std::string("sqlite3://").size());
  const small_disk disk(file.parent_path(), 8 << 20);
  expect_recovery(
      place, [&](running_roost&) { disk.fill(); }, [&](running_roost&) { disk.free_space(); });
}

/// The database is on the small disk, but not the cluster's log, without which no server continues.
TEST(FullDisk, MakesPostgresqlBusyWithoutLosingData) {
  if (!small_disk::is_supported()) GTEST_SKIP() << "only root can mount a file system";
  postgresql_cluster cluster;
  const auto folder = cluster.make_folder("small");
  const small_disk disk(folder, 40 << 20);
  const auto tablespace = cluster.make_folder("small/tables");
  workplace place(cluster.url());
  const auto database = place.store().url().substr(cluster.url().size());
  store::session server(cluster.url() + "postgres");
  server.internals().script("make", "create tablespace small location '" + tablespace.string() + "'");
  server.internals().script("move", "alter database " + database + " set tablespace small");
  expect_recovery(
      place, [&](running_roost&) { disk.fill(); }, [&](running_roost&) { disk.free_space(); });
}

/// A file size limit as set by `ulimit -f` and LimitFSIZE, which also raises a signal.
TEST(FileSizeLimit, MakesSqliteBusyWithoutLosingData) {
  const auto limit_to = [](running_roost& server, rlim_t bytes) {
    rlimit limit{};
    ASSERT_EQ(::prlimit(server.process().id(), RLIMIT_FSIZE, nullptr, &limit), 0);
    limit.rlim_cur = bytes;
    ASSERT_EQ(::prlimit(server.process().id(), RLIMIT_FSIZE, &limit, nullptr), 0);
  };
  workplace place(store_kind::sqlite);
  expect_recovery(
      place, [&](running_roost& server) { limit_to(server, 0); },
      [&](running_roost& server) { limit_to(server, RLIM_INFINITY); });
}

} // namespace roost::testing::disk_test
