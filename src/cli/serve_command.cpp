#include "cli/commands.hpp"
#include "cli/service_manager.hpp"
#include "config/changes.hpp"
#include "log/log.hpp"
#include "service/service.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstdlib>
#include <malloc.h>

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

void log_end() {
  log::info("stopped");
  log::shutdown();
}

/// The main thread of a running server: what comes from outside of the service itself.
class main_thread {
public:
  explicit main_thread(const common_options& common)
      : common_(common), started_(load_configuration(common)), applied_(started_),
        ends_(io_, SIGTERM, SIGINT), reloads_(io_, SIGHUP) {}

  /// Until the server is to end.
  void run() {
    wait_for_end();
    wait_for_reload();
    warn_of_idle(started_);
    service_.emplace(started_.values, service_hooks{});
    service_->start();
    manager_.ready();
    if (manager_.watchdog()) ping();
    const auto guard = asio::make_work_guard(io_);
    io_.run();
    manager_.stopping();
    if (ends_everything) return service_->stop();
    service_->stop_to_exit();
    log_end();
    std::_Exit(0);
  }

private:
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

  void wait_for_reload() {
    reloads_.async_wait([this](const boost::system::error_code& ended, int) {
      if (ended) return;
      manager_.reloading();
      reload();
      manager_.ready();
      wait_for_reload();
    });
  }

  /// All of the new configuration has to be in order; then what can change now does.
  void reload() {
    try {
      auto wanted = load_configuration(common_);
      std::vector<std::string> taken, left;
      for (const auto& each : changes_between(applied_, wanted))
        if (service_->takes_over(each.key))
          taken.push_back(each.key + " = " + each.now + " (was " + each.before + ")");
      for (const auto& each : changes_between(started_, wanted))
        if (!service_->takes_over(each.key)) left.push_back(each.key);
      const bool will_be_quiet = wanted.values.log.level > config::log_level::info;
      if (!will_be_quiet) service_->take_over(wanted.values);
      log::info("configuration_reloaded", {{"changed", joined(taken)}});
      if (!left.empty()) log::warn("configuration_needs_restart", {{"keys", joined(left)}});
      warn_of_idle(wanted);
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
      service_->when_threads_answer([this] { manager_.alive(); });
      ping();
    });
  }

  common_options common_;
  const config::loaded started_;
  config::loaded applied_; ///< as of the last reload that was in order
  service_manager manager_;
  asio::io_context io_;
  asio::signal_set ends_, reloads_;
  asio::steady_timer watch_{io_};
  std::optional<service> service_;
};

} // namespace

int serve(const common_options& common) {
  // A replaced list goes back to the system at once. Left alone, the library learns from the first one that
  // is freed to keep such sizes: 0.09 KB for each of 50,000 units.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a full disk, not the end
  main_thread{common}.run();
  log_end();
  return 0;
}

} // namespace roost::cli
