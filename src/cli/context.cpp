#include "cli/context.hpp"

#include "cli/usage_error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"

#include <chrono>
#include <thread>

namespace roost::cli {

namespace {

constexpr std::chrono::seconds apply_patience{10};
constexpr std::chrono::milliseconds apply_poll{20};

} // namespace

config::loaded load_configuration(const common_options& options) {
  config::options from;
  if (!options.config_file.empty()) from.file = options.config_file;
  from.environment = config::process_environment();
  from.set = options.set;
  return config::load(from);
}

store::session open_store(const config::settings& settings) {
  store::session session{settings.store.url};
  session.connect();
  store::migrate(session);
  return session;
}

bool wait_until_applied(store::session& db, const store::stream_point& change) {
  const auto give_up = std::chrono::steady_clock::now() + apply_patience;
  while (std::chrono::steady_clock::now() < give_up) {
    const auto writer = store::current_lease(db);
    if (!writer || writer->expired || store::applied_position(db) >= change.position) return true;
    std::this_thread::sleep_for(apply_poll);
  }
  return false;
}

int finish_change(store::session& db, const store::stream_point& change) {
  if (wait_until_applied(db, change)) return 0;
  throw std::runtime_error("written, but the running server has not taken it up yet; its log tells why");
}

domain::uuid id_of(const std::string& text) {
  const auto id = domain::parse_uuid(text);
  if (!id)
    throw usage_error("'" + text + "' is not an id; it looks like 0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  return *id;
}

void print_fact(const char* label, const std::string& value) {
  if (!value.empty()) std::printf("%-14s %s\n", label, value.c_str());
}

security::password_cost password_cost_of(const config::settings& settings) {
  const auto& costs = settings.sessions;
  return {costs.password_memory, costs.password_passes, costs.password_lanes};
}

} // namespace roost::cli
