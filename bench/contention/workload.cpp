#include "workload.hpp"

#include <algorithm>
#include <cmath>

namespace roost::contention {

namespace {

/// Later than all blocks of the portfolio, which lie in the next few years.
constexpr domain::date first_night = domain::date_of(std::chrono::year{2040} / 1 / 1);
constexpr domain::date last_night = domain::date_of(std::chrono::year{9999} / 1 / 1);

void require(bool is_valid, const char* message) {
  if (!is_valid) throw std::invalid_argument(message);
}

std::vector<double> zipf_weights(std::uint32_t units, double exponent) {
  std::vector<double> cumulated(units);
  double sum = 0;
  for (std::uint32_t i = 0; i < units; ++i) cumulated[i] = sum += std::pow(i + 1.0, -exponent);
  return cumulated;
}

/// SplitMix64 by Steele, Lea and Flood. An index of ids that are close together would behave differently from
/// that of a service, so ids must look random.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

} // namespace

workload::workload(const workload_options& options) : options_(options), random_(options.seed) {
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

stay_request workload::next() {
  std::lock_guard lock{mutex_};
  stay_request request{generated_, pick_unit(), {}, {}};
  if (options_.calendar == calendar_kind::rolling)
    place_on_rolling_calendar(request);
  else
    place_in_window(request);
  ++generated_;
  return request;
}

std::uint32_t workload::pick_unit() {
  if (!options_.hot_share) {
    const auto picked = std::ranges::upper_bound(cumulated_, pick_fraction() * cumulated_.back());
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(picked - cumulated_.begin(), options_.units - 1));
  }
  const bool hot = pick_fraction() < *options_.hot_share || options_.hot_units == options_.units;
  return static_cast<std::uint32_t>(
      hot ? pick(0, static_cast<int>(options_.hot_units) - 1)
          : pick(static_cast<int>(options_.hot_units), static_cast<int>(options_.units) - 1));
}

// Not the distributions of the standard library: their results differ between implementations.

double workload::pick_fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

int workload::pick(int min, int max) { return min + static_cast<int>(pick_fraction() * (max - min + 1)); }

/// Places a request on new nights at the end of the unit's calendar, or on some of the nights of the last
/// such request. One of the two is then refused, in whatever order they arrive.
void workload::place_on_rolling_calendar(stay_request& request) {
  auto& unit = progress_[request.unit];
  if (unit.latest_in != unit.latest_out && pick_fraction() < options_.conflicts) {
    const int nights = static_cast<int>((unit.latest_out - unit.latest_in).count());
    const int first = pick(0, nights - 1);
    request.check_in = unit.latest_in + domain::days{first};
    request.check_out = request.check_in + domain::days{pick(1, nights - first)};
    return;
  }
  request.check_in = unit.next;
  request.check_out = request.check_in + domain::days{pick(options_.shortest, options_.longest)};
  if (request.check_out > last_night) throw calendar_exhausted();
  unit = {request.check_out, request.check_in, request.check_out};
}

void workload::place_in_window(stay_request& request) {
  const int length = pick(options_.shortest, options_.longest);
  request.check_in = first_night + domain::days{pick(0, options_.window - length)};
  request.check_out = request.check_in + domain::days{length};
}

domain::uuid numbered_id(id_kind kind, std::uint64_t number) {
  domain::uuid id{};
  const auto high = mix(number * 16 + static_cast<std::uint64_t>(kind));
  for (int i = 0; i < 8; ++i) id.data[i] = static_cast<std::uint8_t>(high >> (8 * i));
  id.data[6] = 0x40 | (id.data[6] & 0x0f);
  id.data[8] = 0x80;
  id.data[9] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 6; ++i) id.data[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::uint64_t number_of(const domain::uuid& id) {
  std::uint64_t number = 0;
  for (int i = 10; i < 16; ++i) number = number << 8 | id.data[i];
  return number;
}

std::string external_id(std::uint32_t unit) { return std::to_string(1'000'001 + unit); }

domain::booking_request booking_request_for(const stay_request& stay, domain::timestamp now) {
  const auto digits = std::to_string(stay.number);
  domain::booking_request booking;
  booking.id = numbered_id(id_kind::request, stay.number);
  booking.platform = platform_name;
  booking.external_id = external_id(stay.unit);
  booking.reference = domain::to_string(numbered_id(id_kind::reference, stay.number));
  booking.check_in = stay.check_in;
  booking.check_out = stay.check_out;
  booking.provider_payment = domain::money{65'050};
  booking.ota_commission = domain::money{3'500};
  booking.tenant = {.first_name = "Ada",
                    .last_name = "Marsh",
                    .email = "guest" + digits + "@guests.example",
                    .fiscal_id = "X" + digits + "L",
                    .phone = "+34 600 000 000",
                    .nationality = "GB"};
  booking.received_at = now;
  return booking;
}

} // namespace roost::contention
