#include "simulation/shrinking.hpp"

#include "simulation/interruption.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <sstream>
#include <vector>

namespace roost::testing {

namespace {

constexpr unsigned seeds_per_step = 12, max_histories = 250;

/// Returns a failure without the words that differ between histories: ids, numbers and lists of values.
std::string pattern_of(const std::string& failure) {
  constexpr std::size_t max_words = 12;
  std::istringstream words(failure);
  std::string kind, word;
  for (std::size_t i = 0; i < max_words && words >> word; ++i)
    if (std::ranges::none_of(word, [](unsigned char each) { return std::isdigit(each) != 0; }) &&
        word.find('"') == std::string::npos)
      kind += word + ' ';
  return kind;
}

bool fails_in_same_way(const history_result& one, const history_result& other) {
  return std::ranges::any_of(one.failures, [&](const auto& failure) {
    return std::ranges::any_of(other.failures,
                               [&](const auto& each) { return pattern_of(each) == pattern_of(failure); });
  });
}

/// Returns the next smaller options, those that save the most time first.
std::vector<simulation_options> smaller_options(const simulation_options& options) {
  std::vector<simulation_options> all;
  const auto add = [&](auto change) {
    all.push_back(options);
    change(all.back());
  };
  if (options.servers > 1) add([](auto& to) { --to.servers; });
  if (options.clients > 1) add([](auto& to) { to.clients /= 2; });
  if (options.readers > 0) add([](auto& to) { --to.readers; });
  if (options.others.landlords > 0) add([](auto& to) { to.others.landlords /= 2; });
  if (options.others.assistants > 0) add([](auto& to) { to.others.assistants /= 2; });
  if (options.others.usage_services > 0) add([](auto& to) { to.others.usage_services = 0; });
  if (options.others.guests > 0) add([](auto& to) { to.others.guests = 0; });
  if (options.others.office_workers > 0) add([](auto& to) { to.others.office_workers = 0; });
  if (options.others.booking_clerks > 0) add([](auto& to) { to.others.booking_clerks = 0; });
  if (options.others.bookkeepers > 0) add([](auto& to) { to.others.bookkeepers = 0; });
  if (options.others.tenant_keepers > 0) add([](auto& to) { to.others.tenant_keepers = 0; });
  if (options.others.notification_readers > 0) add([](auto& to) { to.others.notification_readers = 0; });
  if (options.others.event_followers > 0) add([](auto& to) { to.others.event_followers = 0; });
  if (options.others.outcome_followers > 0) add([](auto& to) { to.others.outcome_followers = 0; });
  if (options.others.stay_changers > 0) add([](auto& to) { to.others.stay_changers = 0; });
  if (options.others.holders > 0) add([](auto& to) { to.others.holders = 0; });
  if (options.others.has_operator) add([](auto& to) { to.others.has_operator = false; });
  for (const auto kind : options.faults) add([kind](auto& to) { to.faults.erase(kind); });
  if (options.length > std::chrono::seconds{2}) {
    add([](auto& to) { to.length /= 2; });
    add([](auto& to) { to.length = to.length * 3 / 4; });
  }
  return all;
}

class shrinker {
public:
  explicit shrinker(const std::function<history_result(const simulation_options&)>& run) : run_(run) {}

  /// Returns a smaller history that fails in the same way; nullopt if none was found.
  std::optional<failed_history> step(const failed_history& failed) {
    for (auto options : smaller_options(failed.options))
      for (unsigned i = 0; i < seeds_per_step && histories_ < max_histories; ++i, ++options.seed) {
        if (interruption::is_pending()) return std::nullopt;
        ++histories_;
        auto result = run_(options);
        if (fails_in_same_way(result, failed.result)) return failed_history{options, std::move(result)};
      }
    return std::nullopt;
  }

private:
  const std::function<history_result(const simulation_options&)>& run_;
  unsigned histories_ = 0;
};

} // namespace

failed_history shrink(failed_history failed,
                      const std::function<history_result(const simulation_options&)>& run) {
  shrinker shrinks(run);
  while (auto smaller = shrinks.step(failed)) failed = std::move(*smaller);
  return failed;
}

std::string command_of(const simulation_options& options) {
  std::string command = "script/simulate --seed " + std::to_string(options.seed) + " --servers " +
                        std::to_string(options.servers) + " --clients " + std::to_string(options.clients) +
                        " --readers " + std::to_string(options.readers) + " --seconds " +
                        std::to_string(options.length.count());
  const auto& others = options.others;
  command += " --landlords " + std::to_string(others.landlords) + " --assistants " +
             std::to_string(others.assistants) + " --usage-services " +
             std::to_string(others.usage_services) + " --guests " + std::to_string(others.guests) +
             " --office-workers " + std::to_string(others.office_workers) + " --booking-clerks " +
             std::to_string(others.booking_clerks) + " --bookkeepers " + std::to_string(others.bookkeepers) +
             " --tenant-keepers " + std::to_string(others.tenant_keepers) + " --notification-readers " +
             std::to_string(others.notification_readers) + " --event-followers " +
             std::to_string(others.event_followers) + " --outcome-followers " +
             std::to_string(others.outcome_followers) + " --stay-changers " +
             std::to_string(others.stay_changers) + " --holders " + std::to_string(others.holders);
  if (!others.has_operator) command += " --no-operator";
  std::string without;
  for (const auto kind : all_faults())
    if (!options.faults.contains(kind))
      without += (without.empty() ? "" : ",") + std::string(to_string(kind));
  return without.empty() ? command : command + " --without " + without;
}

} // namespace roost::testing
