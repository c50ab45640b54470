#include "judge.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace roost::contention {

namespace {

/// One unit's part of the history.
struct unit_history {
  std::vector<const operation*> booked; ///< by check-in
  std::vector<const operation*> refused;
};

bool share_a_night(const stay& a, const stay& b) {
  return a.check_in < b.check_out && b.check_in < a.check_out;
}

/// Collects offences and keeps the one that takes the fewest operations to show; of two equal ones the one
/// that takes less time.
class finder {
public:
  explicit finder(verdict& into) : into_(into) {}

  void add(fault_kind kind, std::uint32_t unit, std::vector<const operation*> shown) {
    const auto span = span_of(shown);
    if (into_.shortest && (into_.shortest->shown.size() < shown.size() ||
                           (into_.shortest->shown.size() == shown.size() && span_ <= span)))
      return;
    span_ = span;
    into_.shortest = offence{kind, unit, {}};
    for (const auto* each : shown) into_.shortest->shown.push_back(*each);
    std::ranges::sort(into_.shortest->shown, {}, &operation::invoked);
  }

private:
  static std::int64_t span_of(const std::vector<const operation*>& shown) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    for (const auto* each : shown) {
      first = std::min(first, each->invoked);
      last = std::max(last, each->returned);
    }
    return last - first;
  }

  verdict& into_;
  std::int64_t span_ = 0;
};

/// The store against what the clients were told, request by request.
class end_state {
public:
  end_state(const history& all, const std::vector<stored_stay>& stored, verdict& result, finder& found)
      : result_(result), found_(found) {
    for (const auto& each : all) asked_.emplace(each.wanted.number, &each);
    for (const auto& each : stored) compare(each);
  }

  /// Whether this request's stay is in the store.
  bool has(const operation& each) const { return stored_.contains(each.wanted.number); }

private:
  void compare(const stored_stay& each) {
    ++stored_[each.number];
    const auto asked = asked_.find(each.number);
    if (asked == asked_.end()) return offend(each.unit, {});
    const auto& wanted = asked->second->wanted;
    const bool as_asked =
        wanted.unit == each.unit && wanted.check_in == each.check_in && wanted.check_out == each.check_out;
    const auto told = asked->second->result;
    const bool may_be = told == outcome::booked || told == outcome::unknown;
    if (!as_asked || !may_be || stored_[each.number] > 1) offend(each.unit, {asked->second});
  }

  void offend(std::uint32_t unit, std::vector<const operation*> shown) {
    ++result_.not_asked_for;
    found_.add(fault_kind::not_asked_for, unit, std::move(shown));
  }

  verdict& result_;
  finder& found_;
  std::unordered_map<std::uint64_t, const operation*> asked_;
  std::unordered_map<std::uint64_t, int> stored_;
};

void find_double_bookings(std::uint32_t unit, const unit_history& of, verdict& result, finder& found) {
  const operation* latest = nullptr; // of those so far the one whose stay ends last
  for (const auto* each : of.booked) {
    if (latest && each->wanted.check_in < latest->wanted.check_out) {
      ++result.double_bookings;
      found.add(fault_kind::double_booking, unit, {latest, each});
    }
    if (!latest || each->wanted.check_out > latest->wanted.check_out) latest = each;
  }
}

/// Booked stays by check-in, with the longest of them, so that the neighbours of a stay are found by halving
/// even where stays overlap.
class neighbourhood {
public:
  explicit neighbourhood(const std::vector<const operation*>& booked) : booked_(booked) {
    for (const auto* each : booked)
      longest_ = std::max(longest_, each->wanted.check_out - each->wanted.check_in);
  }

  template <typename Each>
  void of(const stay& wanted, Each each) const {
    const auto begin = std::ranges::lower_bound(booked_, wanted.check_in - longest_, {},
                                                [](const operation* at) { return at->wanted.check_in; });
    for (auto at = begin; at != booked_.end() && (*at)->wanted.check_in < wanted.check_out; ++at)
      if (share_a_night((*at)->wanted, wanted)) each(**at);
  }

private:
  const std::vector<const operation*>& booked_;
  domain::days longest_{0};
};

void find_groundless_refusals(std::uint32_t unit, const unit_history& of, verdict& result, finder& found) {
  const neighbourhood near(of.booked);
  for (const auto* refused : of.refused) {
    std::vector<const operation*> too_late{refused};
    bool has_ground = false;
    near.of(refused->wanted, [&](const operation& booked) {
      has_ground |= booked.invoked <= refused->returned;
      too_late.push_back(&booked);
    });
    if (has_ground) continue;
    ++result.groundless_refusals;
    found.add(fault_kind::groundless_refusal, unit, std::move(too_late));
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

const char* to_string(fault_kind kind) {
  switch (kind) {
  case fault_kind::double_booking:
    return "double booking";
  case fault_kind::lost:
    return "booking lost";
  case fault_kind::not_asked_for:
    return "booked what was not granted";
  case fault_kind::groundless_refusal:
    return "groundless refusal";
  }
  return "";
}

verdict judge(const history& all, const std::vector<stored_stay>& stored) {
  verdict result;
  finder found(result);
  const end_state in_store(all, stored, result, found);
  std::map<std::uint32_t, unit_history> units;
  for (const auto& each : all) {
    const bool is_stored = in_store.has(each);
    count(each, is_stored, result);
    auto& unit = units[each.wanted.unit];
    if (each.result == outcome::refused) {
      unit.refused.push_back(&each);
    } else if (is_stored || each.result == outcome::booked) {
      unit.booked.push_back(&each);
    }
    if (each.result == outcome::booked && !is_stored) {
      ++result.lost;
      found.add(fault_kind::lost, each.wanted.unit, {&each});
    }
  }
  for (auto& [number, unit] : units) {
    std::ranges::sort(unit.booked, {}, [](const operation* each) { return each->wanted.check_in; });
    find_double_bookings(number, unit, result, found);
    find_groundless_refusals(number, unit, result, found);
  }
  return result;
}

} // namespace roost::contention
