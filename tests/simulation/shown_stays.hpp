#pragma once

#include "service/support/manual_bookings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// The resource that a read of a unit requests.
enum class unit_view { listing, calendar };

/// Returns these nights as a listing or a calendar shows them.
std::string row_of(domain::date check_in, domain::date check_out, unit_view shown);

/// Returns the rows of a listing or a calendar, sorted.
std::vector<std::string_view> rows_in(std::string_view body, unit_view shown);

/// Stays that members of an office book, move and cancel, as every later read of a unit on every server must
/// show them. A booking that is being moved is at every moment in its former or in its new place. Ignores
/// bookings that it does not know.
class shown_stays {
public:
  using sequence = std::uint64_t; ///< of shown_facts

  /// Records a place for which a request is being sent.
  void on_request(const stay_placement& place) { ++requested_[place]; }
  void on_booked(const std::string& id, const stay_placement& place, sequence acknowledged);
  /// Records a request that may move the booking, or cancel it (nullopt).
  void on_change_sent(const std::string& id, const std::optional<stay_placement>& target);
  void on_moved(const std::string& id, const stay_placement& place, sequence acknowledged);
  void on_cancelled(const std::string& id, sequence acknowledged);
  /// Records that no change in progress has had or can have an effect.
  void on_refused(const std::string& id);

  /// Forgets a booking: it has changed, but not yet everywhere.
  void forget(const std::string& id) { stays_.erase(id); }

  /// Forgets everything but the requested places.
  void clear() { stays_.clear(); }

  /// Returns whether a request was for one of these nights.
  bool was_requested(unsigned unit, const domain::nights& nights) const;

  /// Compares the rows of a read of a unit with the facts known when it was sent. Returns a description of a
  /// contradiction.
  std::optional<std::string> contradiction(unsigned unit, unit_view shown, sequence sent,
                                           const std::vector<std::string_view>& rows) const;

private:
  struct former_place {
    stay_placement place;
    sequence left = 0; ///< when its end was acknowledged
  };

  struct stay {
    std::optional<stay_placement> place; ///< nullopt: the booking is cancelled
    sequence since = 0;
    std::vector<stay_placement> targets; ///< of moves without an outcome
    bool may_be_cancelled = false;
    std::vector<former_place> former;
  };

  static void leave(stay& known, sequence acknowledged);

  std::map<std::string, stay> stays_;       ///< by id of the booking
  std::map<stay_placement, int> requested_; ///< places, with the number of bookings that may be there
};

} // namespace roost::testing
