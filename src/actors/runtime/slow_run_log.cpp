#include "actors/runtime/slow_run_log.hpp"

#include "log/log.hpp"
#include "stacks/stack_names.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

/// A few warnings in a while, and how many others there were.
class warning_limit {
public:
  /// The number of those that were left out before this one; nothing: leave this one out, too.
  std::optional<std::uint64_t> take() {
    const auto now = std::chrono::steady_clock::now();
    if (now - began_ > a_while) {
      began_ = now;
      told_ = 0;
    }
    if (told_ == most) {
      ++left_out_;
      return std::nullopt;
    }
    ++told_;
    return std::exchange(left_out_, 0);
  }

private:
  static constexpr std::chrono::seconds a_while{10};
  static constexpr unsigned most = 10;

  std::chrono::steady_clock::time_point began_{};
  unsigned told_ = 0;
  std::uint64_t left_out_ = 0;
};

/// Each type of actors has a limit of its own: a noisy one does not hide the others.
std::optional<std::uint64_t> take_for(std::string_view actor) {
  static std::mutex mutex;
  static std::map<std::string, warning_limit, std::less<>> limits;
  const std::lock_guard lock{mutex};
  auto limit = limits.find(actor);
  if (limit == limits.end()) limit = limits.emplace(std::string{actor}, warning_limit{}).first;
  return limit->second.take();
}

double milliseconds_of(std::chrono::nanoseconds took) {
  return std::chrono::duration<double, std::milli>(took).count();
}

std::string text_of(const std::vector<void*>& stack) {
  if (stack.empty()) return "not taken";
  std::string text;
  for (const auto& name : stacks::names_of(stack)) text.append(text.empty() ? "" : " < ").append(name);
  return text;
}

} // namespace

std::string message_name(const std::type_info* type) {
  return type ? stacks::readable_name(type->name()) : "another";
}

void tell_of_slow_run(const slow_run& seen, const std::vector<void*>& stack) {
  const auto left_out = take_for(seen.actor);
  if (!left_out) return;
  const auto ms = milliseconds_of(seen.took);
  if (seen.actor.empty())
    log::warn("thread_stalled",
              {{"thread", seen.thread}, {"ms", ms}, {"stack", text_of(stack)}, {"left_out", *left_out}});
  else
    log::warn("actor_run_slow", {{"actor", seen.actor},
                                 {"message", message_name(seen.message)},
                                 {"thread", seen.thread},
                                 {"ms", ms},
                                 {"stack", text_of(stack)},
                                 {"left_out", *left_out}});
}

void tell_of_end(const slow_run& seen) {
  log::info("actor_run_over",
            {{"actor", seen.actor}, {"thread", seen.thread}, {"ms", milliseconds_of(seen.took)}});
}

} // namespace roost::actors
