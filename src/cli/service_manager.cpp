#include "cli/service_manager.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace roost::cli {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

} // namespace

service_manager::service_manager() : socket_(variable("NOTIFY_SOCKET")) {
  const auto whom = variable("WATCHDOG_PID");
  if (!whom.empty() && number_in(whom) != getpid()) return;
  if (const auto time = number_in(variable("WATCHDOG_USEC"))) watchdog_ = std::chrono::microseconds{*time};
}

void service_manager::reloading() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch(); // CLOCK_MONOTONIC
  tell("RELOADING=1\nMONOTONIC_USEC=" +
       std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
}

/// A manager that does not listen is none of the program's business.
void service_manager::tell(const std::string& state) const {
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

} // namespace roost::cli
