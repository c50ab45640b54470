#include "cli/commands.hpp"
#include "config/load.hpp"
#include "config/text.hpp"
#include "files/private_files.hpp"
#include "log/log.hpp"
#include "security/secrets.hpp"
#include "service/conversions.hpp"
#include "service/service.hpp"
#include "service/version.hpp"
#include "store/address/store_url.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <malloc.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace roost::cli {

namespace {

namespace asio = boost::asio;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text.append(text.empty() ? "" : "; ").append(part);
  return text;
}

/// Whether all objects are destroyed at exit. Sanitizer builds need it to report leaks and races; other
/// builds leave it to the operating system, because it takes ten seconds with a million units.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool destroys_everything = true;
#else
constexpr bool destroys_everything = false;
#endif

/// Throws if the database is unsuitable, or if a missing secrets file must not be created. Skips the checks
/// while the store is unavailable: the service waits for the store and checks then.
void check_store_if_reachable(const config::settings& settings) {
  const bool has_secrets = security::secrets::load(settings.secrets.file).has_value();
  if (has_secrets && !store::is_postgresql_url(settings.store.url)) return;
  try {
    store::session db{settings.store.url};
    db.connect_to_existing();
    if (!has_secrets && store::has_schema(db)) require_secrets_file(db, settings);
  } catch (const store::unsuitable_database&) {
    throw;
  } catch (const store::error&) {
  }
}

void end_log() {
  log::info("stopped");
  log::shutdown();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::int64_t> parse_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

/// A client of the service manager's notification protocol, sd_notify(3). All notifications are no-ops if
/// NOTIFY_SOCKET is not set.
class service_manager {
public:
  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  service_manager() : socket_(variable("NOTIFY_SOCKET")) {
    const auto pid = variable("WATCHDOG_PID");
    if (!pid.empty() && parse_number(pid) != getpid()) return;
    if (const auto time = parse_number(variable("WATCHDOG_USEC")))
      watchdog_ = std::chrono::microseconds{*time};
  }

  /// The time within which the manager expects alive(); nullopt: its watchdog is off.
  std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  void ready() const { notify("READY=1\nSTATUS=listening"); }
  void alive() const { notify("WATCHDOG=1"); }
  /// ready() reports the end of the reload.
  void reloading() const {
    const auto now = std::chrono::steady_clock::now().time_since_epoch(); // CLOCK_MONOTONIC
    notify("RELOADING=1\nMONOTONIC_USEC=" +
           std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
  }
  void stopping() const { notify("STOPPING=1\nSTATUS=finishing writes"); }

private:
  /// Ignores errors: the program works without a manager, too.
  void notify(const std::string& state) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (address.sun_path[0] == '@') address.sun_path[0] = '\0'; // in the abstract namespace
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
    ::close(fd);
  }

  std::string socket_;
  std::optional<std::chrono::microseconds> watchdog_;
};

/// Opens the controlling terminal; returns -1 if there is none or it has hung up.
int open_terminal() { return ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); }

bool ignores_hang_ups() {
  struct sigaction current {};
  return ::sigaction(SIGHUP, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

/// Whether the program runs in the foreground of a terminal, as in a demo. Closing the terminal sends SIGHUP,
/// which otherwise requests a reload. Returns false under nohup(1), which ignores SIGHUP.
bool is_in_foreground() {
  const int terminal = open_terminal();
  if (terminal < 0) return false;
  const bool result = ::tcgetpgrp(terminal) == ::getpgrp() && !ignores_hang_ups();
  ::close(terminal);
  return result;
}

/// Whether the process has no terminal, or it has been closed.
bool terminal_is_gone() {
  const int terminal = open_terminal();
  if (terminal >= 0) ::close(terminal);
  return terminal < 0;
}

/// The main thread of a running server: handles signals and talks to the supervisor.
class main_thread {
public:
  explicit main_thread(const arguments& args)
      : args_(args), started_(load_configuration(args)), applied_(started_),
        stop_signals_(io_, SIGTERM, SIGINT), hang_ups_(io_, SIGHUP) {}

  /// Returns when the server has stopped.
  void run() {
    wait_for_stop_signal();
    wait_for_hang_up();
    apply_log(started_.values);
    warn_of_idle_settings(started_);
    check_store_if_reachable(started_.values);
    if (args_.on_hold) log::warn("on_hold", {{"what", "nothing is decided, mailed or deleted"}});
    service_.emplace(started_.values, service_hooks{.on_hold = args_.on_hold});
    warn_of_open_store();
    log_start(); // an unusable configuration has been reported by now
    service_->start();
    manager_.ready();
    if (manager_.watchdog()) ping();
    warn_daily();
    const auto guard = asio::make_work_guard(io_);
    io_.run();
    manager_.stopping();
    if (destroys_everything) return service_->stop();
    service_->stop_to_exit();
    end_log();
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

  /// Warns of a store file that is readable by other users, as earlier versions created it.
  void warn_of_open_store() const {
    const std::string& url = started_.values.store.url;
    if (!url.starts_with(store::sqlite_scheme)) return;
    const std::filesystem::path file{url.substr(store::sqlite_scheme.size())};
    if (files::is_open_to_others(file)) log::warn("store_open_to_others", {{"file", file.string()}});
  }

  static void warn_of_idle_settings(const config::loaded& configuration) {
    for (const auto& [key, reason] : configuration.idle)
      log::warn("setting_without_effect", {{"key", key}, {"why", reason}});
  }

  void wait_for_stop_signal() {
    stop_signals_.async_wait([this](const boost::system::error_code&, int signal) {
      log::info("stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
      io_.stop();
    });
  }

  void wait_for_hang_up() {
    hang_ups_.async_wait([this](const boost::system::error_code& ended, int) {
      if (ended) return;
      if (in_foreground_ && terminal_is_gone()) {
        log::info("stopping", {{"signal", "SIGHUP"}, {"what", "the terminal was closed"}});
        return io_.stop();
      }
      manager_.reloading();
      reload();
      manager_.ready();
      wait_for_hang_up();
    });
  }

  /// Applies the live settings of the new configuration; rejects it as a whole if it is invalid.
  void reload() {
    try {
      auto next = load_configuration(args_);
      std::vector<std::string> changed, needs_restart;
      if (auto certificate = service_->reload_certificate(next.values); !certificate.empty())
        changed.push_back(std::move(certificate));
      for (const auto& each : changes_between(applied_, next))
        if (service_->can_reload(each.key, next.values))
          changed.push_back(each.key + " = " + each.now + " (was " + each.before + ")");
      for (const auto& each : changes_between(started_, next))
        if (!service_->can_reload(each.key, next.values)) needs_restart.push_back(each.key);
      const bool will_be_quiet = next.values.log.level > log::level::info;
      if (!will_be_quiet) service_->apply_reloaded(next.values);
      log::info("configuration_reloaded", {{"changed", changed.empty() ? "nothing" : joined(changed)}});
      if (!needs_restart.empty()) log::warn("configuration_needs_restart", {{"keys", joined(needs_restart)}});
      warn_of_idle_settings(next);
      service_->warn_of_expiries();
      if (will_be_quiet)
        service_->apply_reloaded(next.values); // last, or the lines above would not be logged
      applied_ = std::move(next);
    } catch (const config::invalid& invalid) {
      std::vector<std::string> lines;
      for (const auto& problem : invalid.problems()) lines.push_back(to_string(problem));
      log::error("configuration_refused", {{"problems", joined(lines)}});
    } catch (const std::exception& error) {
      log::error("configuration_refused", {{"problems", error.what()}});
    }
  }

  /// Pings the watchdog at half its interval, and only if every I/O thread makes progress.
  void ping() {
    watch_.expires_after(*manager_.watchdog() / 2);
    watch_.async_wait([this](const boost::system::error_code&) {
      service_->when_threads_respond([this] { manager_.alive(); });
      ping();
    });
  }

  void warn_daily() {
    day_.expires_after(std::chrono::days{1});
    day_.async_wait([this](const boost::system::error_code& ended) {
      if (ended) return;
      service_->warn_of_expiries();
      warn_daily();
    });
  }

  const arguments& args_;
  const config::loaded started_;
  config::loaded applied_; ///< by the start or the last successful reload
  service_manager manager_;
  const bool in_foreground_ = is_in_foreground(); ///< initialized before SIGHUP is handled
  asio::io_context io_;
  asio::signal_set stop_signals_, hang_ups_;
  asio::steady_timer watch_{io_}, day_{io_};
  std::optional<service> service_;
};

} // namespace

int serve(const arguments& args) {
  if (!args.events_file.empty()) log::copy_events_to(args.events_file); // before the first event
  // Returns the memory of replaced lists to the system immediately. By default, the library adapts its
  // threshold to the first freed list and keeps such blocks: 0.09 KB for each of 50,000 units.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  std::signal(SIGXFSZ, SIG_IGN); // treat a file size limit like a full disk
  main_thread{args}.run();
  end_log();
  return 0;
}

} // namespace roost::cli
