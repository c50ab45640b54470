#include "verifier.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace roost::contention {

namespace {

/// The operations on one unit.
struct unit_history {
  std::vector<const operation*> booked; ///< by check-in
  std::vector<const operation*> refused;
};

bool share_a_night(const stay_request& a, const stay_request& b) {
  return a.check_in < b.check_out && b.check_in < a.check_out;
}

/// Keeps the violation with the fewest operations; of equal ones, the one that spans the least time.
class shortest_violation {
public:
  explicit shortest_violation(verdict& result) : result_(result) {}

  void add(violation_kind kind, std::uint32_t unit, std::vector<const operation*> operations) {
    const auto span = span_of(operations);
    auto& shortest = result_.shortest;
    if (shortest && (shortest->operations.size() < operations.size() ||
                     (shortest->operations.size() == operations.size() && span_ <= span)))
      return;
    span_ = span;
    shortest = violation{kind, unit, {}};
    for (const auto* each : operations) shortest->operations.push_back(*each);
    std::ranges::sort(shortest->operations, {}, &operation::invoked);
  }

private:
  static std::int64_t span_of(const std::vector<const operation*>& operations) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    for (const auto* each : operations) {
      first = std::min(first, each->invoked);
      last = std::max(last, each->returned);
    }
    return last - first;
  }

  verdict& result_;
  std::int64_t span_ = 0;
};

/// Compares the store with the outcomes that clients received, request by request.
class store_comparison {
public:
  store_comparison(const history& operations, const std::vector<stored_stay>& stored, verdict& result,
                   shortest_violation& shortest)
      : result_(result), shortest_(shortest) {
    for (const auto& each : operations) requested_.emplace(each.request.number, &each);
    for (const auto& each : stored) compare(each);
  }

  /// Whether the store has the stay of this request.
  bool has(const operation& requested) const { return stored_.contains(requested.request.number); }

private:
  void compare(const stored_stay& stay) {
    ++stored_[stay.number];
    const auto requested = requested_.find(stay.number);
    if (requested == requested_.end()) return add_unexpected(stay.unit, {});
    const auto& request = requested->second->request;
    const bool matches =
        request.unit == stay.unit && request.check_in == stay.check_in && request.check_out == stay.check_out;
    const auto result = requested->second->result;
    const bool is_allowed = result == outcome::booked || result == outcome::unknown;
    if (!matches || !is_allowed || stored_[stay.number] > 1) add_unexpected(stay.unit, {requested->second});
  }

  void add_unexpected(std::uint32_t unit, std::vector<const operation*> operations) {
    ++result_.unexpected;
    shortest_.add(violation_kind::unexpected, unit, std::move(operations));
  }

  verdict& result_;
  shortest_violation& shortest_;
  std::unordered_map<std::uint64_t, const operation*> requested_;
  std::unordered_map<std::uint64_t, int> stored_;
};

void find_double_bookings(std::uint32_t number, const unit_history& unit, verdict& result,
                          shortest_violation& shortest) {
  const operation* latest = nullptr; // the previous operation whose stay ends last
  for (const auto* each : unit.booked) {
    if (latest && each->request.check_in < latest->request.check_out) {
      ++result.double_bookings;
      shortest.add(violation_kind::double_booking, number, {latest, each});
    }
    if (!latest || each->request.check_out > latest->request.check_out) latest = each;
  }
}

/// Booked stays by check-in, with the length of the longest: finds overlapping stays by binary search, even
/// if booked stays overlap each other.
class booked_stays {
public:
  explicit booked_stays(const std::vector<const operation*>& booked) : booked_(booked) {
    for (const auto* each : booked)
      longest_ = std::max(longest_, each->request.check_out - each->request.check_in);
  }

  template <typename Visitor>
  void for_each_overlapping(const stay_request& stay, Visitor visit) const {
    const auto begin = std::ranges::lower_bound(booked_, stay.check_in - longest_, {},
                                                [](const operation* at) { return at->request.check_in; });
    for (auto at = begin; at != booked_.end() && (*at)->request.check_in < stay.check_out; ++at)
      if (share_a_night((*at)->request, stay)) visit(**at);
  }

private:
  const std::vector<const operation*>& booked_;
  domain::days longest_{0};
};

void find_groundless_refusals(std::uint32_t number, const unit_history& unit, verdict& result,
                              shortest_violation& shortest) {
  const booked_stays booked(unit.booked);
  for (const auto* refused : unit.refused) {
    std::vector<const operation*> too_late{refused};
    bool is_justified = false;
    booked.for_each_overlapping(refused->request, [&](const operation& overlapping) {
      is_justified |= overlapping.invoked <= refused->returned;
      too_late.push_back(&overlapping);
    });
    if (is_justified) continue;
    ++result.groundless_refusals;
    shortest.add(violation_kind::groundless_refusal, number, std::move(too_late));
  }
}

void count(const operation& each, bool is_stored, verdict& result) {
  ++result.operations;
  result.booked += each.result == outcome::booked;
  result.refused += each.result == outcome::refused;
  result.failed += each.result == outcome::failed;
  result.unknown += each.result == outcome::unknown;
  result.unknown_booked += each.result == outcome::unknown && is_stored;
}

} // namespace

const char* to_string(violation_kind kind) {
  switch (kind) {
  case violation_kind::double_booking:
    return "double booking";
  case violation_kind::lost:
    return "lost booking";
  case violation_kind::unexpected:
    return "unexpected booking";
  case violation_kind::groundless_refusal:
    return "groundless refusal";
  }
  return "";
}

verdict verify(const history& operations, const std::vector<stored_stay>& stored) {
  verdict result;
  shortest_violation shortest(result);
  const store_comparison store(operations, stored, result, shortest);
  std::map<std::uint32_t, unit_history> units;
  for (const auto& each : operations) {
    const bool is_stored = store.has(each);
    count(each, is_stored, result);
    auto& unit = units[each.request.unit];
    if (each.result == outcome::refused) {
      unit.refused.push_back(&each);
    } else if (is_stored || each.result == outcome::booked) {
      unit.booked.push_back(&each);
    }
    if (each.result == outcome::booked && !is_stored) {
      ++result.lost;
      shortest.add(violation_kind::lost, each.request.unit, {&each});
    }
  }
  for (auto& [number, unit] : units) {
    std::ranges::sort(unit.booked, {}, [](const operation* each) { return each->request.check_in; });
    find_double_bookings(number, unit, result, shortest);
    find_groundless_refusals(number, unit, result, shortest);
  }
  return result;
}

} // namespace roost::contention
