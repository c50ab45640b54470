#include "cli/commands.hpp"
#include "cli/foreground_terminal.hpp"
#include "cli/service_manager.hpp"
#include "config/changes.hpp"
#include "config/text.hpp"
#include "files/private_files.hpp"
#include "log/log.hpp"
#include "security/secrets.hpp"
#include "service/conversions.hpp"
#include "service/live_settings.hpp"
#include "service/service.hpp"
#include "service/version.hpp"
#include "store/address/store_url.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <string_view>

namespace roost::cli {

namespace {

namespace asio = boost::asio;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text.append(text.empty() ? "" : "; ").append(part);
  return text;
}

/// A build with a sanitizer ends all that it has, so that its end tells what was leaked and what races with
/// it. Every other one leaves that to the system: with a million units it is ten seconds' work.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool ends_everything = true;
#else
constexpr bool ends_everything = false;
#endif

/// The service makes a file that is missing. A store that is away is waited for, and asked then.
void refuse_lost_secrets_of(const config::settings& settings) {
  if (security::secrets::load(settings.secrets.file)) return;
  try {
    store::session db{settings.store.url};
    db.connect_to_existing();
    if (store::has_schema(db)) refuse_lost_secrets(db, settings);
  } catch (const store::error&) {
  }
}

void log_end() {
  log::info("stopped");
  log::shutdown();
}

/// The main thread of a running server: what comes from outside of the service itself.
class main_thread {
public:
  main_thread(const common_options& common, bool on_hold)
      : common_(common), on_hold_(on_hold), started_(load_configuration(common)), applied_(started_),
        ends_(io_, SIGTERM, SIGINT), hang_ups_(io_, SIGHUP) {}

  /// Until the server is to end.
  void run() {
    wait_for_end();
    wait_for_hang_up();
    apply_log(started_.values);
    warn_of_idle(started_);
    refuse_lost_secrets_of(started_.values);
    if (on_hold_) log::warn("on_hold", {{"what", "nothing is decided, mailed or deleted"}});
    service_.emplace(started_.values, service_hooks{.on_hold = on_hold_});
    warn_of_open_store();
    log_start(); // what cannot be used is told in one line, before it
    service_->start();
    manager_.ready();
    if (manager_.watchdog()) ping();
    warn_daily();
    const auto guard = asio::make_work_guard(io_);
    io_.run();
    manager_.stopping();
    if (ends_everything) return service_->stop();
    service_->stop_to_exit();
    log_end();
    std::_Exit(0);
  }

private:
  void log_start() const {
    const auto& settings = started_.values;
    const auto knobs = to_knobs(settings);
    const bool has_workers = settings.scheduler.policy != config::scheduler_policy::asio;
    log::info("starting", {{"version", program_version()},
                           {"build", program_build()},
                           {"store", config::masked(settings.store.url)},
                           {"schema", store::newest_schema()},
                           {"io_threads", knobs.io_threads},
                           {"policy", knobs.policy},
                           {"workers", has_workers ? settings.scheduler.max_threads : 0}});
  }

  /// Files of earlier versions were made for everyone to read.
  void warn_of_open_store() const {
    const std::string& url = started_.values.store.url;
    if (!url.starts_with(store::sqlite_scheme)) return;
    const std::filesystem::path file{url.substr(store::sqlite_scheme.size())};
    if (files::is_open_to_others(file)) log::warn("store_open_to_others", {{"file", file.string()}});
  }

  static void warn_of_idle(const config::loaded& configuration) {
    for (const auto& [key, reason] : configuration.idle)
      log::warn("setting_without_effect", {{"key", key}, {"why", reason}});
  }

  void wait_for_end() {
    ends_.async_wait([this](const boost::system::error_code&, int signal) {
      log::info("stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
      io_.stop();
    });
  }

  void wait_for_hang_up() {
    hang_ups_.async_wait([this](const boost::system::error_code& ended, int) {
      if (ended) return;
      if (terminal_.is_gone()) {
        log::info("stopping", {{"signal", "SIGHUP"}, {"what", "the terminal is closed"}});
        return io_.stop();
      }
      manager_.reloading();
      reload();
      manager_.ready();
      wait_for_hang_up();
    });
  }

  /// All of the new configuration has to be in order; then what can change now does.
  void reload() {
    try {
      auto wanted = load_configuration(common_);
      std::vector<std::string> taken, left;
      if (auto certificate = service_->reload_certificate(wanted.values); !certificate.empty())
        taken.push_back(std::move(certificate));
      for (const auto& each : changes_between(applied_, wanted))
        if (service_->takes_over(each.key, wanted.values))
          taken.push_back(each.key + " = " + each.now + " (was " + each.before + ")");
      for (const auto& each : changes_between(started_, wanted))
        if (!service_->takes_over(each.key, wanted.values)) left.push_back(each.key);
      const bool will_be_quiet = wanted.values.log.level > config::log_level::info;
      if (!will_be_quiet) service_->take_over(wanted.values);
      log::info("configuration_reloaded", {{"changed", taken.empty() ? "nothing" : joined(taken)}});
      if (!left.empty()) log::warn("configuration_needs_restart", {{"keys", joined(left)}});
      warn_of_idle(wanted);
      service_->warn_of_ends();
      if (will_be_quiet) service_->take_over(wanted.values); // after these lines, which would be lost
      applied_ = std::move(wanted);
    } catch (const config::invalid& invalid) {
      std::vector<std::string> lines;
      for (const auto& problem : invalid.problems()) lines.push_back(to_string(problem));
      log::error("configuration_refused", {{"problems", joined(lines)}});
    } catch (const std::exception& failed) {
      log::error("configuration_refused", {{"problems", failed.what()}});
    }
  }

  /// Half of the watchdog's time apart. A ping says that every I/O thread gets on, not only this one.
  void ping() {
    watch_.expires_after(*manager_.watchdog() / 2);
    watch_.async_wait([this](const boost::system::error_code&) {
      service_->when_threads_response([this] { manager_.alive(); });
      ping();
    });
  }

  void warn_daily() {
    day_.expires_after(std::chrono::days{1});
    day_.async_wait([this](const boost::system::error_code& ended) {
      if (ended) return;
      service_->warn_of_ends();
      warn_daily();
    });
  }

  common_options common_;
  bool on_hold_;
  const config::loaded started_;
  config::loaded applied_; ///< as of the last reload that was in order
  service_manager manager_;
  const foreground_terminal terminal_; ///< looked at before SIGHUP is handled
  asio::io_context io_;
  asio::signal_set ends_, hang_ups_;
  asio::steady_timer watch_{io_}, day_{io_};
  std::optional<service> service_;
};

} // namespace

int serve(const common_options& common, bool on_hold) {
  // A replaced list goes back to the system at once. Left alone, the library learns from the first one that
  // is freed to keep such sizes: 0.09 KB for each of 50,000 units.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a full disk, not the end
  main_thread{common, on_hold}.run();
  log_end();
  return 0;
}

} // namespace roost::cli
