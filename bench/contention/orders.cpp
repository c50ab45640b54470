#include "orders.hpp"

namespace roost::contention {

namespace {

constexpr std::chrono::seconds last_patience{20};

} // namespace

orders::orders(workload& requests, const load_options& options, const std::atomic<bool>& stop)
    : requests_(requests), options_(options), stop_(stop), start_(clock::now()),
      end_(start_ + options.warm_up + options.duration) {}

clock::time_point orders::patience() const { return end_ + last_patience; }

std::optional<order> orders::next() {
  std::lock_guard lock{mutex_};
  const auto now = clock::now();
  auto due = now;
  if (options_.rate > 0)
    due = start_ + std::chrono::duration_cast<clock::duration>(
                       std::chrono::duration<double>(static_cast<double>(taken_) / options_.rate));
  if (due >= end_ || now >= patience()) return std::nullopt;
  if (stop_ || failed_ || (options_.most > 0 && taken_ >= options_.most)) return cut();
  ++taken_;
  try {
    return order{requests_.next(), due};
  } catch (const calendar_over&) {
    return cut();
  }
}

void orders::fail(std::exception_ptr why) {
  std::lock_guard lock{mutex_};
  if (!why_) why_ = why;
  failed_ = true;
}

void orders::rethrow() const {
  if (why_) std::rethrow_exception(why_);
}

std::optional<order> orders::cut() {
  cut_ = true;
  return std::nullopt;
}

} // namespace roost::contention
