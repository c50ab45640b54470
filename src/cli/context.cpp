#include "cli/context.hpp"

#include "store/lease.hpp"
#include "store/migrations.hpp"
#include "store/portfolio_state.hpp"

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

bool wait_until_applied(store::session& on, std::int64_t version) {
  const auto give_up = std::chrono::steady_clock::now() + apply_patience;
  while (std::chrono::steady_clock::now() < give_up) {
    const auto writer = store::current_lease(on);
    if (!writer || writer->expired || store::applied_version(on) >= version) return true;
    std::this_thread::sleep_for(apply_poll);
  }
  return false;
}

} // namespace roost::cli
