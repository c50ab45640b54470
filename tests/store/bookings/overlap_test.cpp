#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

/// The database's own word against two stays on one night, whatever the code above it does.
namespace roost::testing::overlap_test {
ROOST_FOR_EACH_STORE(Overlap);

using domain::int_between;

struct stay {
  domain::uuid unit{};
  int from = 0, to = 0; ///< days after the first one
  bool cancelled = false;
};

bool shares_a_night(const stay& a, const stay& b) {
  return a.unit == b.unit && a.from < b.to && b.from < a.to;
}

domain::date date_of(int days) { return day("2027-01-01") + domain::days{days}; }

/// A calendar's stays by the number of their request, as the database must have them.
class ledger {
public:
  explicit ledger(store::session& db) : db_(db), node_(db) {}

  void book(const stay& wanted) {
    auto request = sample_request(++number_);
    request.check_in = date_of(wanted.from);
    request.check_out = date_of(wanted.to);
    node_.insert({request});
    expect(is_free(wanted, 0), [&] { node_.decide({accept(request, wanted.unit)}); });
    if (is_free(wanted, 0)) kept_.emplace(number_, wanted);
  }

  void move(unsigned long which, int from, int to) {
    auto moved = kept_.at(which);
    moved.from = from;
    moved.to = to;
    change(which, moved,
           "check_in = '" + domain::to_string(date_of(from)) + "', check_out = '" +
               domain::to_string(date_of(to)) + "', last_night = '" + domain::to_string(date_of(to - 1)) +
               "'");
  }

  void set_cancelled(unsigned long which, bool cancelled) {
    auto changed = kept_.at(which);
    changed.cancelled = cancelled;
    change(which, changed,
           cancelled ? "status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at"
                     : "status = 'confirmed', cancelled_by = null, cancelled_at = null");
  }

  std::optional<unsigned long> any(std::mt19937& random) const {
    if (kept_.empty()) return std::nullopt;
    return std::next(kept_.begin(), int_between(random, 0, static_cast<int>(kept_.size()) - 1))->first;
  }
  bool is_cancelled(unsigned long which) const { return kept_.at(which).cancelled; }

private:
  bool is_free(const stay& wanted, unsigned long itself) const {
    return wanted.cancelled || std::ranges::none_of(kept_, [&](const auto& other) {
             return other.first != itself && !other.second.cancelled && shares_a_night(other.second, wanted);
           });
  }

  void change(unsigned long which, const stay& changed, const std::string& assignments) {
    const bool allowed = is_free(changed, which);
    expect(allowed, [&] {
      db_.internals().script("change", "update bookings set " + assignments + " where request_id = '" +
                                           domain::to_string(sample_request(which).id) + "'");
    });
    if (allowed) kept_.at(which) = changed;
  }

  template <typename Run>
  static void expect(bool allowed, Run run) {
    try {
      run();
      EXPECT_TRUE(allowed) << "an overlap was let in";
    } catch (const store::constraint_violated& refused) {
      EXPECT_FALSE(allowed) << "free nights were refused";
      EXPECT_EQ(refused.kind(), store::violation::overlapping_stay);
    }
  }

  store::session& db_;
  writer node_;
  unsigned long number_ = 0;
  std::map<unsigned long, stay> kept_;
};

TEST_P(Overlap, IsRefusedExactlyWhereALookAtEveryStayFindsOne) {
  std::mt19937 random{7};
  ledger calendar(session());
  const auto some_days = [&] {
    const int from = int_between(random, 0, 60);
    return std::pair{from, from + int_between(random, 1, 9)};
  };
  for (int step = 0; step < 250 && !HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const auto [from, to] = some_days();
    const auto which = calendar.any(random);
    const int choice = int_between(random, 0, 9);
    if (!which || choice < 5)
      calendar.book({unit_id(int_between(random, 1, 2)), from, to});
    else if (choice < 8)
      calendar.move(*which, from, to);
    else
      calendar.set_cancelled(*which, !calendar.is_cancelled(*which));
  }
}

} // namespace roost::testing::overlap_test
