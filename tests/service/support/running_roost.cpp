#include "service/support/running_roost.hpp"

#include <algorithm>
#include <csignal>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace roost::testing {

namespace {

constexpr std::chrono::milliseconds poll_interval{5};

process_options serve_options(const workplace& place, std::vector<std::string> arguments,
                              std::map<std::string, std::string> environment) {
  arguments.insert(arguments.begin(), {"serve", "--config", place.config_file()});
  return {.program = ROOST_PROGRAM,
          .arguments = std::move(arguments),
          .folder = place.folder().path(),
          .environment = std::move(environment)};
}

/// Parses the port of a `listening` log line.
std::uint16_t parse_port(const std::string& line) {
  constexpr std::string_view key = " port=";
  return static_cast<std::uint16_t>(std::stoul(line.substr(line.find(key) + key.size())));
}

} // namespace

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

running_roost::running_roost(const workplace& place, started wait_for, std::vector<std::string> arguments,
                             std::map<std::string, std::string> environment)
    : place_(place), process_(serve_options(place, std::move(arguments), std::move(environment))) {
  port_ = parse_port(wait_for_log({" listening ", " listener=public "}));
  ops_port_ = parse_port(wait_for_log({" listening ", " listener=ops "}));
  if (wait_for == started::serving) wait_until_ready();
}

partner running_roost::partner_of(const std::string& platform) const {
  return {port_, platform, place_.issue_token(platform)};
}

std::optional<double> running_roost::metric(const std::string& name_and_labels) const {
  const auto text = "\n" + ops("/metrics").body;
  const auto position = text.find("\n" + name_and_labels + " ");
  if (position == std::string::npos) return std::nullopt;
  return std::stod(text.substr(position + name_and_labels.size() + 2));
}

void running_roost::wait_until_ready() {
  if (!eventually([this] { return is_ready(); }, start_timeout))
    throw std::runtime_error("the server is not ready: " + ops("/readyz").body + "\n" + log());
}

std::string running_roost::wait_for_log(std::vector<std::string> parts) {
  const auto line = process_.wait_for_line(
      [&](std::string_view text) {
        return std::ranges::all_of(
            parts, [&](const auto& part) { return text.find(part) != std::string_view::npos; });
      },
      start_timeout);
  if (!line) throw std::runtime_error("no log line contains \"" + parts.front() + "\":\n" + log());
  return *line;
}

int running_roost::stop() {
  process_.send_signal(SIGTERM);
  const auto status = process_.wait_for_end(stop_timeout);
  if (!status) throw std::runtime_error("the server did not stop:\n" + log());
  return *status;
}

void running_roost::kill() {
  process_.send_signal(SIGKILL);
  process_.wait_for_end(stop_timeout);
}

std::uint16_t free_port() {
  std::random_device random;
  std::uniform_int_distribution<int> ports{20'000, 31'999};
  while (true) {
    const auto port = static_cast<std::uint16_t>(ports(random));
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    if (free) return port;
  }
}

} // namespace roost::testing
