#include "cli/supervisor.hpp"

#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace roost::cli {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::int64_t> parse_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

/// Opens the controlling terminal; returns -1 if there is none or it has hung up.
int open_terminal() { return ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); }

bool ignores_hang_ups() {
  struct sigaction current {};
  return ::sigaction(SIGHUP, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

} // namespace

service_manager::service_manager() : socket_(variable("NOTIFY_SOCKET")) {
  const auto pid = variable("WATCHDOG_PID");
  if (!pid.empty() && parse_number(pid) != getpid()) return;
  if (const auto time = parse_number(variable("WATCHDOG_USEC"))) watchdog_ = std::chrono::microseconds{*time};
}

void service_manager::reloading() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch(); // CLOCK_MONOTONIC
  notify("RELOADING=1\nMONOTONIC_USEC=" +
         std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
}

/// Ignores errors: the program works without a manager, too.
void service_manager::notify(const std::string& state) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0'; // in the abstract namespace
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  ::close(fd);
}

bool is_in_foreground() {
  const int terminal = open_terminal();
  if (terminal < 0) return false;
  const bool result = ::tcgetpgrp(terminal) == ::getpgrp() && !ignores_hang_ups();
  ::close(terminal);
  return result;
}

bool terminal_is_gone() {
  const int terminal = open_terminal();
  if (terminal >= 0) ::close(terminal);
  return terminal < 0;
}

} // namespace roost::cli
