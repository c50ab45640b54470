#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "top/ops_client.hpp"
#include "top/screen.hpp"
#include "top/terminal.hpp"

#include <cstdio>
#include <stdexcept>
#include <thread>

namespace roost::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds interval{1};

/// Reads a server again and again.
class watched_server {
public:
  explicit watched_server(const config::endpoint& at) : client_(at.address, at.port) {}

  void read() {
    auto read = client_.read();
    const auto now = clock::now();
    before_ = std::exchange(now_, std::move(read));
    seconds_ = std::chrono::duration<double>(now - std::exchange(at_, now)).count();
  }

  top::view view() const { return top::view_of(client_.server(), before_, now_, seconds_); }

private:
  top::ops_client client_;
  top::reading before_, now_;
  clock::time_point at_ = clock::now();
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
  for (const auto& line : draw(server.view(), top::least_columns, 0)) std::puts(line.c_str());
  return 0;
}

int show_until_left(watched_server& server) {
  server.read(); // a server that is not there ends the command before the screen is taken
  const top::terminal screen;
  while (!screen.wait(interval)) {
    try {
      server.read();
      screen.show(draw(server.view(), screen.columns(), screen.rows()));
    } catch (const std::runtime_error& gone) {
      screen.show({gone.what(), "It is asked again each second; q ends."});
    }
  }
  return 0;
}

} // namespace

int show_top(const common_options& common, const top_options& options) {
  if (options.as_json && !options.once) throw usage_error("--json requires --once");
  watched_server server{load_configuration(common).values.ops.listen};
  return options.once ? show_once(server, options.as_json) : show_until_left(server);
}

} // namespace roost::cli
