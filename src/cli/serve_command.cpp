#include "cli/commands.hpp"
#include "log/log.hpp"
#include "service/service.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <malloc.h>

namespace roost::cli {

namespace {

constexpr int ended_by_lost_lease = 1;

} // namespace

int serve(const common_options& common) {
  const auto configuration = load_configuration(common);
  // A replaced list goes back to the system at once. Left alone, the library learns from the first one that
  // is freed to keep such sizes: 0.09 KB for each of 50,000 units.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a full disk, not the end
  boost::asio::io_context waiting;
  int status = 0;
  service_hooks hooks;
  hooks.lease_lost = [&] {
    boost::asio::post(waiting, [&] {
      status = ended_by_lost_lease;
      waiting.stop();
    });
  };
  boost::asio::signal_set signals{waiting, SIGTERM, SIGINT};
  signals.async_wait([&](const boost::system::error_code&, int signal) {
    log::info("stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
    waiting.stop();
  });
  for (const auto& [key, reason] : configuration.idle)
    log::warn("setting_without_effect", {{"key", key}, {"why", reason}});
  service running{configuration.values, hooks};
  running.start();
  const auto guard = boost::asio::make_work_guard(waiting);
  waiting.run();
  running.stop();
  log::info("stopped");
  log::shutdown();
  return status;
}

} // namespace roost::cli
