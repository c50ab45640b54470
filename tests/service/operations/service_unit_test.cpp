#include "service/support/child_process.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/// The systemd unit, and a server's notifications to systemd.
namespace roost::testing::service_unit_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// The notification socket of a service manager.
class manager_socket {
public:
  explicit manager_socket(const std::filesystem::path& path)
      : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot bind " + path.string());
    const timeval timeout{20, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }
  ~manager_socket() { ::close(fd_); }
  manager_socket(const manager_socket&) = delete;
  manager_socket& operator=(const manager_socket&) = delete;

  /// Waits for the next notification; empty on timeout.
  std::string next() const {
    char text[512];
    const auto size = ::recv(fd_, text, sizeof text, 0);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
  }
  /// Waits for the next notification other than a watchdog ping.
  std::string next_state() const {
    auto text = next();
    while (text == "WATCHDOG=1") text = next();
    return text;
  }

private:
  int fd_;
};

ROOST_FOR_SQLITE(ServiceUnit);

TEST_P(ServiceUnit, NotifiesTheManagerOfReadinessReloadsAndStops) {
  workplace place(GetParam());
  const manager_socket manager(place.folder() / "notify");
  running_roost server(place, started::listening, {},
                       {{"NOTIFY_SOCKET", (place.folder() / "notify").string()}});
  EXPECT_THAT(manager.next(), HasSubstr("READY=1"));
  server.process().send_signal(SIGHUP);
  const auto reloading = manager.next();
  EXPECT_THAT(reloading, HasSubstr("RELOADING=1"));
  EXPECT_THAT(reloading, HasSubstr("MONOTONIC_USEC="));
  EXPECT_THAT(manager.next(), HasSubstr("READY=1"));
  server.process().send_signal(SIGTERM);
  EXPECT_THAT(manager.next(), HasSubstr("STOPPING=1"));
}

TEST_P(ServiceUnit, PingsTheWatchdogInTime) {
  workplace place(GetParam());
  const manager_socket manager(place.folder() / "notify");
  const running_roost server(
      place, started::listening, {},
      {{"NOTIFY_SOCKET", (place.folder() / "notify").string()}, {"WATCHDOG_USEC", "200000"}});
  EXPECT_THAT(manager.next(), HasSubstr("READY=1"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(manager.next(), "WATCHDOG=1");
}

TEST_P(ServiceUnit, DoesNotPingForAnotherProcess) {
  workplace place(GetParam());
  const manager_socket manager(place.folder() / "notify");
  running_roost server(place, started::listening, {},
                       {{"NOTIFY_SOCKET", (place.folder() / "notify").string()},
                        {"WATCHDOG_USEC", "1000"},
                        {"WATCHDOG_PID", "1"}});
  EXPECT_THAT(manager.next(), HasSubstr("READY=1"));
  server.process().send_signal(SIGTERM);
  EXPECT_THAT(manager.next(), HasSubstr("STOPPING=1"));
}

TEST_P(ServiceUnit, RunsWithoutAListeningManager) {
  workplace place(GetParam());
  running_roost server(place, started::serving, {},
                       {{"NOTIFY_SOCKET", "/nowhere"}, {"WATCHDOG_USEC", "soon"}});
  EXPECT_EQ(server.stop(), 0);
}

std::string run(const std::string& command, int& status) {
  std::string text;
  auto* pipe = ::popen((command + " 2>&1").c_str(), "r");
  char part[4096];
  while (const auto size = std::fread(part, 1, sizeof part, pipe)) text.append(part, size);
  status = ::pclose(pipe);
  return text;
}

TEST(ServiceUnitFile, IsHardened) {
  if (std::system("command -v systemd-analyze > /dev/null") != 0)
    GTEST_SKIP() << "systemd-analyze is not installed";
  int status = 0;
  const auto report =
      run("systemd-analyze security --offline=true " ROOST_SOURCE_DIR "/config/roost.service", status);
  const std::string label = "Overall exposure level for roost.service: ";
  const auto position = report.find(label);
  ASSERT_NE(position, std::string::npos) << report;
  EXPECT_LE(std::stod(report.substr(position + label.size())), 2.2) << report;
}

TEST(ServiceUnitFile, SupportsReloadsAndTheWatchdog) {
  std::ifstream file{ROOST_SOURCE_DIR "/config/roost.service"};
  std::stringstream text;
  text << file.rdbuf();
  for (const auto* line :
       {"\nType=notify\n", "\nWatchdogSec=30s\n", "\nExecReload=/bin/kill -HUP $MAINPID\n"})
    EXPECT_THAT(text.str(), HasSubstr(line));
}

} // namespace roost::testing::service_unit_test
