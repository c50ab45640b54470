#include "workload.hpp"

#include <algorithm>
#include <cmath>

namespace roost::contention {

namespace {

/// After every block of the portfolio, which are of the next years.
constexpr domain::date first_night = domain::date{std::chrono::year{2040} / 1 / 1};
constexpr domain::date last_night = domain::date{std::chrono::year{9999} / 1 / 1};

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

std::vector<double> zipf_weights(std::uint32_t units, double exponent) {
  std::vector<double> cumulated(units);
  double sum = 0;
  for (std::uint32_t i = 0; i < units; ++i) cumulated[i] = sum += std::pow(i + 1.0, -exponent);
  return cumulated;
}

} // namespace

workload::workload(const workload_options& options) : options_(options), chance_(options.seed) {
  require(options.units >= 1 && options.units <= 1'000'000, "units: 1 to 1,000,000");
  require(options.zipf >= 0 && options.zipf <= 10, "zipf: 0 to 10");
  require(!options.hot_share || (*options.hot_share >= 0 && *options.hot_share <= 1), "hot share: 0 to 1");
  require(options.hot_units >= 1 && options.hot_units <= options.units,
          "hot units: 1 to the number of units");
  require(options.shortest >= 1 && options.shortest <= options.longest, "stays: 1 to the longest");
  require(options.longest <= options.window, "stays: no longer than the window");
  require(options.conflicts >= 0 && options.conflicts <= 1, "conflicts: 0 to 1");
  if (!options.hot_share) cumulated_ = zipf_weights(options.units, options.zipf);
  progress_.assign(options.units, {first_night, {}, {}});
}

stay workload::next() {
  std::lock_guard lock{mutex_};
  stay made{made_, pick_unit(), {}, {}};
  if (options_.calendar == calendar_kind::rolling)
    roll(made);
  else
    place_in_window(made);
  ++made_;
  return made;
}

std::uint32_t workload::pick_unit() {
  if (!options_.hot_share) {
    const auto found = std::ranges::upper_bound(cumulated_, share() * cumulated_.back());
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - cumulated_.begin(), options_.units - 1));
  }
  const bool hot = share() < *options_.hot_share || options_.hot_units == options_.units;
  return static_cast<std::uint32_t>(
      hot ? pick(0, static_cast<int>(options_.hot_units) - 1)
          : pick(static_cast<int>(options_.hot_units), static_cast<int>(options_.units) - 1));
}

// The standard's distributions may differ from library to library; these do not.

double workload::share() { return static_cast<double>(chance_() >> 11) * 0x1p-53; }

int workload::pick(int lowest, int highest) {
  return lowest + static_cast<int>(share() * (highest - lowest + 1));
}

/// A request either takes new nights at the end of the unit's calendar, or wants some of those that the last
/// such request took. So one of the two is refused, whoever comes first and however many others went before.
void workload::roll(stay& made) {
  auto& of = progress_[made.unit];
  if (of.latest_in != of.latest_out && share() < options_.conflicts) {
    const int taken = static_cast<int>((of.latest_out - of.latest_in).count());
    const int first = pick(0, taken - 1);
    made.check_in = of.latest_in + domain::days{first};
    made.check_out = made.check_in + domain::days{pick(1, taken - first)};
    return;
  }
  made.check_in = of.next;
  made.check_out = made.check_in + domain::days{pick(options_.shortest, options_.longest)};
  if (made.check_out > last_night) throw calendar_over();
  of = {made.check_out, made.check_in, made.check_out};
}

void workload::place_in_window(stay& made) {
  const int length = pick(options_.shortest, options_.longest);
  made.check_in = first_night + domain::days{pick(0, options_.window - length)};
  made.check_out = made.check_in + domain::days{length};
}

} // namespace roost::contention
