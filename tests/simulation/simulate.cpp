#include "simulation/interruption.hpp"
#include "simulation/shrinking.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/virtual_clock.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <malloc.h>
#include <optional>
#include <string>
#include <sys/personality.h>
#include <unistd.h>

/// The program `simulate`: runs histories of simulated servers, and shrinks one that fails.
namespace {

using roost::testing::failed_history;
using roost::testing::history_result;
using roost::testing::prepared_world;
using roost::testing::simulation_options;
namespace interruption = roost::testing::interruption;
namespace store_faults = roost::testing::store_faults;
namespace virtual_clock = roost::testing::virtual_clock;

constexpr int interrupted_status = 130; ///< like a program that SIGINT has ended, in a shell

/// Disables the randomization of addresses, which influence the order of hash tables, so that a seed
/// reproduces a history.
void disable_address_randomization(char** argv) {
  const int now = ::personality(0xffffffff);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) return;
  ::execv("/proc/self/exe", argv);
}

/// Keeps freed memory in the process. Returning it would take a twentieth of the time of histories, whose
/// processes end soon.
void keep_memory() {
  constexpr int megabyte = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * megabyte);
  ::mallopt(M_TRIM_THRESHOLD, 512 * megabyte);
  ::mallopt(M_TOP_PAD, 4 * megabyte);
}

class campaign {
public:
  int run(int argc, char** argv) {
    CLI::App app{"Simulates whole histories of servers, clients and faults. A seed determines a history."};
    unsigned seconds = 30;
    bool without_faults = false;
    std::vector<std::string> without;
    app.add_option("--seeds", seeds_, "number of histories")->capture_default_str();
    app.add_option("--seed", options_.seed, "the first seed")->capture_default_str();
    app.add_option("--servers", options_.servers, "servers on one store")
        ->check(CLI::Range(1, 9))
        ->capture_default_str();
    app.add_option("--clients", options_.clients, "clients of platforms")->capture_default_str();
    app.add_option("--landlords", options_.others.landlords, "landlords who sign in")->capture_default_str();
    app.add_option("--assistants", options_.others.assistants, "assistants with a landlord")
        ->capture_default_str();
    app.add_option("--usage-services", options_.others.usage_services, "services that record AI usage")
        ->capture_default_str();
    app.add_option("--guests", options_.others.guests, "guests who have their data erased")
        ->check(CLI::Range(0, 1))
        ->capture_default_str();
    app.add_option("--office-workers", options_.others.office_workers,
                   "members of an office, who block nights");
    app.add_option("--booking-clerks", options_.others.booking_clerks,
                   "members of an office, who book stays by hand");
    app.add_option("--bookkeepers", options_.others.bookkeepers,
                   "members of an office, who record received payments")
        ->check(CLI::Range(0, 1));
    app.add_option("--tenant-keepers", options_.others.tenant_keepers,
                   "members of an office, who change and erase tenants")
        ->check(CLI::Range(0, 1));
    app.add_option("--notification-readers", options_.others.notification_readers,
                   "members of an office, who read notifications")
        ->check(CLI::Range(0, 1));
    app.add_option("--event-followers", options_.others.event_followers,
                   "pages that follow the events of an office");
    app.add_option("--outcome-followers", options_.others.outcome_followers,
                   "platforms that repeat bookings and follow their outcomes");
    app.add_option("--stay-changers", options_.others.stay_changers,
                   "platforms that request changes of stays");
    app.add_option("--holders", options_.others.holders, "platforms that hold nights");
    app.add_flag("!--no-operator", options_.others.has_operator, "run no operator's commands");
    app.add_option("--seconds", seconds, "simulated time of a history")->capture_default_str();
    app.add_option("--minutes", minutes_, "stop after this time, even before the last seed");
    app.add_option("--readers", options_.readers, "clients that only read")->capture_default_str();
    app.add_flag("--no-faults", without_faults, "inject no faults");
    app.add_option("--without", without, "kinds of faults to disable")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(roost::testing::fault_names.begin(),
                                                       roost::testing::fault_names.end())));
    app.add_flag("--vary-servers", vary_servers_, "one to three servers, by seed");
    app.add_flag("--vary-faults", vary_faults_, "some of the kinds of faults, by seed");
    app.add_flag("--twice", twice_, "run each history twice and compare both runs");
    app.add_flag("--until-failure", until_failure_, "stop after the first failing history");
    app.add_flag("--no-shrink", no_shrink_, "do not shrink the first failing history");
    app.add_flag("--story", options_.story, "print the events of each history");
    CLI11_PARSE(app, argc, argv);
    options_.length = std::chrono::seconds{seconds};
    for (const auto& name : without) options_.faults.erase(roost::testing::fault_named(name).value());
    if (without_faults) options_.faults.clear();
    faults_ = options_.faults;
    return run_all();
  }

private:
  int run_all() {
    std::array<char, 40> name{"/dev/shm/roost-simulation.XXXXXX"};
    if (::access("/dev/shm", W_OK) != 0) name = {"/tmp/roost-simulation.XXXXXX"};
    interruption::catch_signals();
    const std::filesystem::path folder = ::mkdtemp(name.data());
    int status = 1;
    try {
      status = run_in(folder);
    } catch (const std::exception& failure) {
      std::cerr << failure.what() << std::endl;
    }
    std::filesystem::remove_all(folder);
    return interruption::is_pending() ? interrupted_status : status;
  }

  int run_in(const std::filesystem::path& folder) {
    const auto started = virtual_clock::real_time();
    store_faults::install();
    virtual_clock::start(0);
    const prepared_world world(folder);
    unsigned failed = 0, done = 0;
    std::optional<failed_history> first;
    for (; done < seeds_ && !is_time_over(started) && !(until_failure_ && failed > 0);
         ++done, ++options_.seed) {
      if (vary_servers_) options_.servers = 1 + static_cast<unsigned>(options_.seed % 3);
      if (vary_faults_) options_.faults = roost::testing::some_faults(faults_, options_.seed);
      auto result = run_checked(world, folder / "history");
      if (interruption::is_pending()) break;
      if (result.passed()) continue;
      ++failed;
      if (!first) first = failed_history{options_, std::move(result)};
    }
    const std::chrono::duration<double> took = virtual_clock::real_time() - started;
    if (first && !no_shrink_ && !interruption::is_pending())
      print_smaller_history(*first, world, folder / "history");
    std::cout << done << (done == 1 ? " history, " : " histories, ") << failed << " failed, "
              << std::lround(took.count()) << " s" << std::endl;
    return failed == 0 ? 0 : 1;
  }

  bool is_time_over(std::chrono::nanoseconds started) const {
    return minutes_ > 0 && virtual_clock::real_time() - started > std::chrono::minutes{minutes_};
  }

  /// Runs the history of the current options, and prints its failures.
  history_result run_checked(const prepared_world& world, const std::filesystem::path& folder) const {
    auto result = run_history(world, options_, folder);
    if (twice_ && run_history(world, options_, folder).fingerprint != result.fingerprint)
      result.failures.emplace_back("a second run differed");
    if (interruption::is_pending()) return result;
    for (const auto& each : result.failures)
      std::cout << "seed " << options_.seed << ": " << each << std::endl;
    return result;
  }

  static void print_smaller_history(const failed_history& failed, const prepared_world& world,
                                    const std::filesystem::path& folder) {
    std::cout << "looking for a smaller history that fails in the same way" << std::endl;
    auto shown = shrink(failed, [&](const simulation_options& options) {
                   auto silent = options;
                   silent.story = false;
                   return run_history(world, silent, folder);
                 }).options;
    std::cout << command_of(shown) << " --story" << std::endl;
    shown.story = true;
    for (const auto& each : run_history(world, shown, folder).failures)
      std::cout << "seed " << shown.seed << ": " << each << std::endl;
  }

  simulation_options options_;
  roost::testing::fault_set faults_; ///< to choose from for a history
  unsigned seeds_ = 1;
  unsigned minutes_ = 0;
  bool twice_ = false, vary_servers_ = false, vary_faults_ = false, until_failure_ = false,
       no_shrink_ = false;
};

} // namespace

int main(int argc, char** argv) {
  disable_address_randomization(argv);
  keep_memory();
  return campaign{}.run(argc, argv);
}
