#include "actor_strategy.hpp"
#include "figures.hpp"
#include "http_strategy.hpp"
#include "log/log.hpp"
#include "peer_strategy.hpp"
#include "scene.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/error.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

/// One cell of the contention lab: one strategy decides a workload in a store that is its own, is judged, and
/// prints its figures. bench/lib/contention makes the stores and runs the cells.
namespace roost::contention {
namespace {

std::atomic<bool> stop = false;

struct cell {
  std::string store_url;
  std::string strategy = "actors";
  depth how_much = depth::bare;
  workload_options requests;
  load_options load;
  measured_processes processes;
  server_address server;            ///< of the strategy http
  std::uint64_t prepared = 200'000; ///< requests that wait, of the whole depth
};

bool is_postgresql(const std::string& store_url) { return store_url.starts_with("postgresql"); }

constexpr const char* actors = "actors";
/// The same with the exclusion constraint as a second guard, which the service's own tables have.
constexpr const char* guarded_actors = "actors_guarded";

const recipe* recipe_of(const cell& of) {
  if (of.strategy == actors || of.strategy == guarded_actors) return nullptr;
  const auto* found = find_recipe(of.strategy);
  if (!found) throw std::invalid_argument("unknown strategy '" + of.strategy + "'");
  if (!is_postgresql(of.store_url)) throw std::invalid_argument(of.strategy + " needs PostgreSQL");
  return found;
}

void prepare(cell& of, service_world* world, const recipe* how) {
  store::session db(of.store_url);
  const auto of_actors = of.strategy == actors ? guard::none : guard::exclusion;
  prepare_tables(db, of.how_much, how ? how->kept_apart : of_actors);
  if (how) prepare_for_peer(db, of.how_much, of.requests.units);
  if (of.how_much == depth::bare) return;
  prepare_requests(db, world->lease(), of.requests, of.prepared);
  if (of.load.most == 0 || of.load.most > of.prepared) of.load.most = of.prepared;
}

void print(const load_result& done, const cell& of) {
  store::session db(of.store_url);
  db.connect();
  std::cout << to_json(done, of.load, judge(done.operations, read_stays(db, of.how_much))) << std::endl;
}

load_result run(const cell& of, strategy& by) {
  workload requests(of.requests);
  return run_load(by, requests, of.load, stop, of.processes, [] { std::cout << "measuring" << std::endl; });
}

void run_inside(cell of) {
  const auto* how = recipe_of(of);
  std::optional<service_world> world;
  if (!how || of.how_much == depth::whole) world.emplace(of.store_url);
  prepare(of, world ? &*world : nullptr, how);
  const auto by =
      how ? make_peer_strategy(*how, of.how_much, of.store_url, world ? world->directory() : nullptr)
          : make_actor_strategy(*world, of.how_much);
  print(run(of, *by), of);
}

void run_outside(cell of) {
  of.how_much = depth::whole;
  const auto by = make_http_strategy(of.server);
  auto done = run(of, *by);
  store::session db(of.store_url);
  read_decisions(db, done.operations, done.started);
  print(done, of);
}

void add_workload(CLI::App& to, workload_options& into) {
  to.add_option("--units", into.units);
  to.add_option("--zipf", into.zipf);
  to.add_option("--hot-share", into.hot_share);
  to.add_option("--hot-units", into.hot_units);
  to.add_option("--shortest", into.shortest);
  to.add_option("--longest", into.longest);
  to.add_option("--window", into.window);
  to.add_option("--conflicts", into.conflicts);
  to.add_option("--seed", into.seed);
  to.add_option("--calendar", into.calendar)
      ->transform(CLI::CheckedTransformer(std::map<std::string, calendar_kind>{
          {"rolling", calendar_kind::rolling}, {"fixed", calendar_kind::fixed}}));
}

void add_load(CLI::App& to, cell& into, double& warm_up, double& seconds) {
  to.add_option("--strategy", into.strategy);
  to.add_option("--depth", into.how_much)
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, depth>{{"bare", depth::bare}, {"whole", depth::whole}}));
  to.add_option("--clients", into.load.clients)->check(CLI::Range(1, 1000));
  to.add_option("--rate", into.load.rate);
  to.add_option("--warm-up", warm_up);
  to.add_option("--seconds", seconds);
  to.add_option("--requests", into.prepared);
  to.add_option("--database-pid", into.processes.database);
  to.add_option("--server-pid", into.processes.server);
  to.add_option("--port", into.server.port);
  to.add_option("--token", into.server.token);
}

int command_line(int count, char** words) {
  CLI::App app{"one cell of the contention lab"};
  cell of;
  double warm_up = 1, seconds = 5;
  app.require_subcommand(1);
  auto* preparing = app.add_subcommand("prepare", "import the portfolio that all cells of a run share");
  auto* running = app.add_subcommand("run", "run and judge one cell");
  for (auto* each : {preparing, running}) {
    each->add_option("--store", of.store_url)->required();
    add_workload(*each, of.requests);
  }
  add_load(*running, of, warm_up, seconds);
  CLI11_PARSE(app, count, words);
  using std::chrono::duration_cast;
  of.load.warm_up = duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(warm_up));
  of.load.duration = duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
  if (preparing->parsed()) {
    store::session db(of.store_url);
    prepare_portfolio(db, of.requests.units);
  } else if (of.strategy == "http") {
    run_outside(std::move(of));
  } else {
    run_inside(std::move(of));
  }
  return 0;
}

} // namespace
} // namespace roost::contention

int main(int count, char** words) {
  std::signal(SIGTERM, [](int) { roost::contention::stop = true; });
  std::signal(SIGINT,
              SIG_IGN); // the terminal's Ctrl-C goes to the whole group: bench/run ends this with SIGTERM
  try {
    return roost::contention::command_line(count, words);
  } catch (const std::exception& error) {
    std::cerr << "bench_contention: " << error.what() << '\n';
    return 1;
  }
}
