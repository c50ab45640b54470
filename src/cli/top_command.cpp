#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "top/ops_client.hpp"
#include "top/screen.hpp"

#include <cstdio>
#include <stdexcept>
#include <thread>
#include <utility>

namespace roost::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds interval{1};

/// Reads a server repeatedly.
class watched_server {
public:
  explicit watched_server(const config::endpoint& endpoint) : client_(endpoint.address, endpoint.port) {}

  void read() {
    auto reading = client_.read();
    const auto now = clock::now();
    before_ = std::exchange(now_, std::move(reading));
    seconds_ = std::chrono::duration<double>(now - std::exchange(read_at_, now)).count();
  }

  top::view view() const { return top::view_of(client_.server(), before_, now_, seconds_); }

private:
  top::ops_client client_;
  top::reading before_, now_;
  clock::time_point read_at_ = clock::now();
  double seconds_ = 0;
};

int show_once(watched_server& server, bool as_json) {
  server.read();
  std::this_thread::sleep_for(interval);
  server.read();
  if (as_json) {
    std::puts(to_json(server.view()).c_str());
    return 0;
  }
  for (const auto& line : draw(server.view(), top::min_columns, 0)) std::puts(line.c_str());
  return 0;
}

int show_until_quit(watched_server& server) {
  server.read(); // fails before the screen is taken over if no server responds
  const top::terminal screen;
  while (!screen.wait(interval)) {
    try {
      server.read();
      screen.show(draw(server.view(), screen.columns(), screen.rows()));
    } catch (const std::runtime_error& error) {
      screen.show({error.what(), "Retrying every second; q quits."});
    }
  }
  return 0;
}

} // namespace

int show_top(const arguments& args) {
  if (args.as_json && !args.once) throw usage_error("--json requires --once");
  watched_server server{load_configuration(args).values.ops.listen};
  return args.once ? show_once(server, args.as_json) : show_until_quit(server);
}

} // namespace roost::cli
