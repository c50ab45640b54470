#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "top/ops_client.hpp"
#include "top/screen.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

namespace roost::cli {

namespace {

constexpr std::chrono::seconds interval{1};

int show_once(top::ops_client& server, bool as_json) {
  server.read();
  std::this_thread::sleep_for(interval);
  server.read();
  const auto figures = server.figures();
  if (as_json)
    std::puts(to_json(figures).c_str());
  else
    for (const auto& line : draw(figures, top::min_columns, 0)) std::puts(line.c_str());
  return 0;
}

int show_until_quit(top::ops_client& server) {
  server.read(); // fails before the screen is taken over if no server responds
  const top::terminal screen;
  while (!screen.wait(interval)) {
    try {
      server.read();
      screen.show(draw(server.figures(), screen.columns(), screen.rows()));
    } catch (const std::runtime_error& error) {
      screen.show({error.what(), "Retrying every second; q quits."});
    }
  }
  return 0;
}

} // namespace

int show_top(const arguments& args) {
  if (args.as_json && !args.once) throw usage_error("--json requires --once");
  const auto listen = load_configuration(args).values.ops.listen;
  top::ops_client server{listen.address, listen.port};
  return args.once ? show_once(server, args.as_json) : show_until_quit(server);
}

} // namespace roost::cli
