#include "service/support/running_roost.hpp"

#include "service/support/json_text.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace roost::testing {

namespace {

process_options serve_options(const workplace& place, const std::filesystem::path& events_file,
                              std::vector<std::string> arguments,
                              std::map<std::string, std::string> environment, bool has_terminal) {
  arguments.insert(arguments.begin(),
                   {"serve", "--config", place.config_file(), "--events", events_file.string()});
  return {.program = ROOST_PROGRAM,
          .arguments = std::move(arguments),
          .folder = place.folder().path(),
          .environment = std::move(environment),
          .has_terminal = has_terminal};
}

event parse_event(const std::string& line) {
  rapidjson::Document tree;
  if (tree.Parse(line.data(), line.size()).HasParseError() || !tree.IsObject())
    throw std::runtime_error("not an event: " + line);
  event parsed;
  for (const auto& member : tree.GetObject()) {
    const std::string key = member.name.GetString();
    std::string value = member.value.IsString()
                            ? std::string(member.value.GetString(), member.value.GetStringLength())
                            : to_json(member.value);
    if (key == "event")
      parsed.name = std::move(value);
    else if (key == "level")
      parsed.level = std::move(value);
    else
      parsed.fields.emplace(key, std::move(value));
  }
  return parsed;
}

/// Reads the events of a file while a server appends to it.
class event_reader {
public:
  explicit event_reader(const std::filesystem::path& file) : file_(file, std::ios::binary) {}

  /// Returns the next event; nullopt at the current end of the file.
  std::optional<event> next() {
    const auto start = file_.tellg();
    std::string line;
    if (std::getline(file_, line) && !file_.eof()) return parse_event(line);
    file_.clear();
    file_.seekg(start); // of a line that is still being written
    return std::nullopt;
  }

private:
  std::ifstream file_;
};

bool has_name(const event& logged, std::string_view name) { return name.empty() || logged.name == name; }

bool has_fields(const event& logged, const event_fields& fields) {
  return std::ranges::all_of(fields, [&](const auto& field) {
    const auto own = logged.fields.find(field.first);
    return own != logged.fields.end() && own->second == field.second;
  });
}

} // namespace

const std::string& event::at(const std::string& key) const {
  const auto field = fields.find(key);
  if (field == fields.end()) throw std::runtime_error("the event " + name + " has no field " + key);
  return field->second;
}

running_roost::running_roost(const workplace& place, started wait_for, std::vector<std::string> arguments,
                             std::map<std::string, std::string> environment, bool has_terminal)
    : place_(place), events_file_(events_folder_.write("events", "")),
      process_(
          serve_options(place, events_file_, std::move(arguments), std::move(environment), has_terminal)) {
  const auto port_of = [this](const std::string& listener) {
    return static_cast<std::uint16_t>(
        std::stoul(wait_for_event("listening", {{"listener", listener}}).at("port")));
  };
  port_ = port_of("public");
  ops_port_ = port_of("ops");
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

event running_roost::wait_for_event(std::string_view name, const event_fields& fields) const {
  event_reader reader(events_file_);
  std::optional<event> match;
  eventually(
      [&] {
        const bool has_ended = process_.has_ended(); // then no event follows those read below
        while (auto next = reader.next()) {
          if (!has_name(*next, name) || !has_fields(*next, fields)) continue;
          match = std::move(next);
          return true;
        }
        return has_ended;
      },
      start_timeout);
  if (match) return *match;
  std::string expected(name);
  for (const auto& [key, value] : fields) expected.append(" ").append(key).append("=").append(value);
  throw std::runtime_error("no event " + expected + ":\n" + log());
}

std::vector<event> running_roost::events(std::string_view name) const {
  std::vector<event> matches;
  event_reader reader(events_file_);
  while (auto next = reader.next())
    if (has_name(*next, name)) matches.push_back(std::move(*next));
  return matches;
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
