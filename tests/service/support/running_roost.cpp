#include "service/support/running_roost.hpp"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace roost::testing {

namespace {

constexpr std::chrono::milliseconds poll_interval{5};

program_call serve_call(const workplace& at, std::vector<std::string> arguments,
                        std::map<std::string, std::string> environment) {
  arguments.insert(arguments.begin(), {"serve", "--config", at.config_file()});
  return {.program = ROOST_PROGRAM,
          .arguments = std::move(arguments),
          .folder = at.folder().path(),
          .environment = std::move(environment)};
}

/// The port in the log's line about a listener.
std::uint16_t port_in(const std::string& line) {
  constexpr std::string_view key = " port=";
  return static_cast<std::uint16_t>(std::stoul(line.substr(line.find(key) + key.size())));
}

} // namespace

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

running_roost::running_roost(const workplace& at, started when, std::vector<std::string> arguments,
                             std::map<std::string, std::string> environment)
    : at_(at), process_(serve_call(at, std::move(arguments), std::move(environment))) {
  port_ = port_in(wait_for_log({" listening ", " listener=public "}));
  ops_port_ = port_in(wait_for_log({" listening ", " listener=ops "}));
  if (when == started::serving) wait_until_ready();
}

partner running_roost::partner_of(const std::string& platform) const {
  return {port_, platform, at_.issue_token(platform)};
}

std::optional<double> running_roost::metric(const std::string& name_and_labels) const {
  const auto text = "\n" + ops("/metrics").body;
  const auto found = text.find("\n" + name_and_labels + " ");
  if (found == std::string::npos) return std::nullopt;
  return std::stod(text.substr(found + name_and_labels.size() + 2));
}

void running_roost::wait_until_ready() {
  if (!eventually([this] { return is_ready(); }, start_patience))
    throw std::runtime_error("the server does not get ready: " + ops("/readyz").body + "\n" + log());
}

std::string running_roost::wait_for_log(std::vector<std::string> parts) {
  const auto line = process_.wait_for_line(
      [&](std::string_view text) {
        return std::ranges::all_of(
            parts, [&](const auto& part) { return text.find(part) != std::string_view::npos; });
      },
      start_patience);
  if (!line) throw std::runtime_error("the log does not say" + parts.front() + ":\n" + log());
  return *line;
}

int running_roost::stop() {
  process_.send_signal(SIGTERM);
  const auto status = process_.wait_for_end(end_patience);
  if (!status) throw std::runtime_error("the server does not end:\n" + log());
  return *status;
}

void running_roost::kill() {
  process_.send_signal(SIGKILL);
  process_.wait_for_end(end_patience);
}

} // namespace roost::testing
