#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

/// The database refuses two stays on one night, whatever the code above it does.
namespace roost::testing::overlap_test {
ROOST_FOR_EACH_STORE(Overlap);

using domain::int_between;

struct stay {
  domain::uuid unit{};
  int begin = 0, end = 0; ///< in days after 2027-01-01
  bool cancelled = false;
};

bool shares_a_night(const stay& a, const stay& b) {
  return a.unit == b.unit && a.begin < b.end && b.begin < a.end;
}

domain::date date_of(int days) { return day("2027-01-01") + domain::days{days}; }

/// Writes stays to the database and checks that it accepts exactly those without an overlap.
class calendar_model {
public:
  explicit calendar_model(store::session& db) : db_(db), node_(db) {
    db_.internals().script("unblock", "delete from blocks");
  }

  void book(const stay& added) {
    auto request = sample_request(++number_);
    request.check_in = date_of(added.begin);
    request.check_out = date_of(added.end);
    node_.insert({request});
    expect(is_free(added, 0), [&] { node_.decide({accept(request, added.unit)}); });
    if (is_free(added, 0)) stays_.emplace(number_, added);
  }

  void move(unsigned long number, int begin, int end) {
    auto moved = stays_.at(number);
    moved.begin = begin;
    moved.end = end;
    change(number, moved,
           "check_in = '" + domain::to_string(date_of(begin)) + "', check_out = '" +
               domain::to_string(date_of(end)) + "', last_night = '" + domain::to_string(date_of(end - 1)) +
               "'");
  }

  void set_cancelled(unsigned long number, bool cancelled) {
    auto changed = stays_.at(number);
    changed.cancelled = cancelled;
    change(number, changed,
           cancelled ? "status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at"
                     : "status = 'confirmed', cancelled_by = null, cancelled_at = null");
  }

  std::optional<unsigned long> any(std::mt19937& random) const {
    if (stays_.empty()) return std::nullopt;
    return std::next(stays_.begin(), int_between(random, 0, static_cast<int>(stays_.size()) - 1))->first;
  }
  bool is_cancelled(unsigned long number) const { return stays_.at(number).cancelled; }

private:
  bool is_free(const stay& candidate, unsigned long number) const {
    return candidate.cancelled || std::ranges::none_of(stays_, [&](const auto& other) {
             return other.first != number && !other.second.cancelled &&
                    shares_a_night(other.second, candidate);
           });
  }

  void change(unsigned long number, const stay& changed, const std::string& assignments) {
    const bool allowed = is_free(changed, number);
    expect(allowed, [&] {
      db_.internals().script("change", "update bookings set " + assignments + " where request_id = '" +
                                           domain::to_string(sample_request(number).id) + "'");
    });
    if (allowed) stays_.at(number) = changed;
  }

  template <typename Run>
  static void expect(bool allowed, Run run) {
    try {
      run();
      EXPECT_TRUE(allowed) << "an overlap was accepted";
    } catch (const store::constraint_violated& error) {
      EXPECT_FALSE(allowed) << "free nights were refused";
      EXPECT_EQ(error.kind(), store::violation::overlapping_stay);
    }
  }

  store::session& db_;
  writer node_;
  unsigned long number_ = 0;
  std::map<unsigned long, stay> stays_;
};

TEST_P(Overlap, IsRefusedExactlyWhenAnyStaySharesANight) {
  std::mt19937 random{7};
  calendar_model calendar(session());
  const auto random_days = [&] {
    const int begin = int_between(random, 0, 60);
    return std::pair{begin, begin + int_between(random, 1, 9)};
  };
  for (int step = 0; step < 250 && !HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const auto [begin, end] = random_days();
    const auto number = calendar.any(random);
    const int choice = int_between(random, 0, 9);
    if (!number || choice < 5)
      calendar.book({unit_id(int_between(random, 1, 2)), begin, end});
    else if (choice < 8)
      calendar.move(*number, begin, end);
    else
      calendar.set_cancelled(*number, !calendar.is_cancelled(*number));
  }
}

} // namespace roost::testing::overlap_test
