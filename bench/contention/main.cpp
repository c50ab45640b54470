#include "figures.hpp"
#include "lab_service.hpp"
#include "log/log.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/error.hpp"
#include "store_setup.hpp"
#include "strategies.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

/// Runs one cell of the contention lab: one strategy decides a workload in its own store. The result is
/// verified and printed as figures. bench/lib/contention creates the stores and runs the cells.
namespace roost::contention {
namespace {

std::atomic<bool> stop = false;

struct cell {
  std::string store_url;
  std::string strategy = "actors";
  depth level = depth::bare;
  workload_options requests;
  load_options load;
  measured_processes processes;
  server_address server;            ///< for the strategy http
  std::uint64_t prepared = 200'000; ///< pending requests at the whole depth
};

bool is_postgresql(const std::string& store_url) { return store_url.starts_with("postgresql"); }

constexpr const char* actors = "actors";
/// The same with the exclusion constraint as a second guard, like the service's tables.
constexpr const char* guarded_actors = "actors_guarded";

/// Returns null for the actors.
const peer_recipe* recipe_of(const cell& cell) {
  if (cell.strategy == actors || cell.strategy == guarded_actors) return nullptr;
  const auto* recipe = find_recipe(cell.strategy);
  if (!recipe) throw std::invalid_argument("unknown strategy '" + cell.strategy + "'");
  if (!is_postgresql(cell.store_url)) throw std::invalid_argument(cell.strategy + " needs PostgreSQL");
  return recipe;
}

void prepare(cell& cell, lab_service* service, const peer_recipe* recipe) {
  store::session db(cell.store_url);
  const auto actors_guard = cell.strategy == actors ? guard::none : guard::exclusion;
  prepare_tables(db, cell.level, recipe ? recipe->overlap_guard : actors_guard);
  if (recipe) prepare_peer_tables(db, cell.level, cell.requests.units);
  if (cell.level == depth::bare) return;
  prepare_requests(db, service->lease(), cell.requests, cell.prepared);
  auto& max_requests = cell.load.max_requests;
  if (max_requests == 0 || max_requests > cell.prepared) max_requests = cell.prepared;
}

void print(const load_result& result, const cell& cell) {
  store::session db(cell.store_url);
  db.connect();
  std::cout << to_json(result, cell.load, verify(result.operations, read_stays(db, cell.level))) << std::endl;
}

load_result run(const cell& cell, strategy& strategy) {
  workload requests(cell.requests);
  return run_load(strategy, requests, cell.load, stop, cell.processes,
                  [] { std::cout << "measuring" << std::endl; });
}

/// Runs a strategy in this process.
void run_in_process(cell cell) {
  const auto* recipe = recipe_of(cell);
  std::optional<lab_service> service;
  if (!recipe || cell.level == depth::whole) service.emplace(cell.store_url);
  prepare(cell, service ? &*service : nullptr, recipe);
  const auto strategy = recipe ? make_peer_strategy(*recipe, cell.level, cell.store_url,
                                                    service ? service->directory() : nullptr)
                               : make_actor_strategy(*service, cell.level);
  print(run(cell, *strategy), cell);
}

/// Runs the load on a server.
void run_over_http(cell cell) {
  cell.level = depth::whole;
  const auto strategy = make_http_strategy(cell.server);
  auto result = run(cell, *strategy);
  store::session db(cell.store_url);
  read_decisions(db, result.operations, result.started);
  print(result, cell);
}

void add_workload_options(CLI::App& app, workload_options& options) {
  app.add_option("--units", options.units);
  app.add_option("--zipf", options.zipf);
  app.add_option("--hot-share", options.hot_share);
  app.add_option("--hot-units", options.hot_units);
  app.add_option("--shortest", options.shortest);
  app.add_option("--longest", options.longest);
  app.add_option("--window", options.window);
  app.add_option("--conflicts", options.conflicts);
  app.add_option("--seed", options.seed);
  app.add_option("--calendar", options.calendar)
      ->transform(CLI::CheckedTransformer(std::map<std::string, calendar_kind>{
          {"rolling", calendar_kind::rolling}, {"fixed", calendar_kind::fixed}}));
}

void add_run_options(CLI::App& app, cell& cell, double& warm_up, double& seconds) {
  app.add_option("--strategy", cell.strategy);
  app.add_option("--depth", cell.level)
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, depth>{{"bare", depth::bare}, {"whole", depth::whole}}));
  app.add_option("--clients", cell.load.clients)->check(CLI::Range(1, 1000));
  app.add_option("--rate", cell.load.rate);
  app.add_option("--warm-up", warm_up);
  app.add_option("--seconds", seconds);
  app.add_option("--requests", cell.prepared);
  app.add_option("--database-pid", cell.processes.database);
  app.add_option("--server-pid", cell.processes.server);
  app.add_option("--port", cell.server.port);
  app.add_option("--token", cell.server.token);
}

int run_command(int count, char** words) {
  CLI::App app{"runs one cell of the contention lab"};
  contention::cell cell;
  double warm_up = 1, seconds = 5;
  app.require_subcommand(1);
  auto* preparing = app.add_subcommand("prepare", "import the portfolio shared by all cells of a run");
  auto* running = app.add_subcommand("run", "run and verify one cell");
  for (auto* each : {preparing, running}) {
    each->add_option("--store", cell.store_url)->required();
    add_workload_options(*each, cell.requests);
  }
  add_run_options(*running, cell, warm_up, seconds);
  CLI11_PARSE(app, count, words);
  using std::chrono::duration_cast;
  cell.load.warm_up = duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(warm_up));
  cell.load.duration = duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
  if (preparing->parsed()) {
    store::session db(cell.store_url);
    prepare_portfolio(db, cell.requests.units);
  } else if (cell.strategy == "http") {
    run_over_http(std::move(cell));
  } else {
    run_in_process(std::move(cell));
  }
  return 0;
}

} // namespace
} // namespace roost::contention

int main(int count, char** words) {
  std::signal(SIGTERM, [](int) { roost::contention::stop = true; });
  // Ctrl-C in a terminal signals the whole process group, but bench/run stops this process with SIGTERM.
  std::signal(SIGINT, SIG_IGN);
  try {
    return roost::contention::run_command(count, words);
  } catch (const std::exception& error) {
    std::cerr << "bench_contention: " << error.what() << '\n';
    return 1;
  }
}
