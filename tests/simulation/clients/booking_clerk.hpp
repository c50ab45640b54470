#pragma once

#include "service/support/manual_bookings.hpp"
#include "simulation/clients/office_client.hpp"
#include "simulation/shown_stays.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::testing {

/// A member of a landlord's office: books stays by hand, asks for quotes, moves bookings to other nights and
/// units, and cancels them, also those of platforms. What was acknowledged must be in each later response, in
/// reads of platforms and in the store.
class booking_clerk final : public office_client {
public:
  using office_client::office_client;

  std::vector<std::string> differences(store::session& db) const override;

private:
  using booking_pointer = std::shared_ptr<manual_booking>;

  /// A change to a booking: a move, or a cancellation (nullopt).
  using change = std::optional<stay_placement>;

  /// A place that was refused because its nights are taken.
  struct refusal {
    stay_placement place;
    std::string moved; ///< id of the booking that was to be moved there; empty for a new one
  };

  /// A quote that says available.
  struct quote {
    std::string plan;
    shown_facts::sequence sent = 0;
  };

  /// A quote at the end that says that nights are taken.
  struct final_quote {
    stay_placement place;
    domain::timestamp at{};
  };

  void forget() override;
  client_task<> act_once() override;
  client_task<> verify() override;
  client_task<> book();
  client_task<std::optional<quote>> ask_quote(stay_placement place, bool is_final = false);
  client_task<> change_any(bool is_cancelled);
  client_task<> repeat_creation();
  client_task<> list();
  client_task<> take_platform_booking();

  client_task<simulated_response> create(booking_pointer booking, bool& may_exist);
  void check_creation(const manual_booking& booking, const simulated_response& response, bool may_exist);
  void check_plan(const simulated_response& response, const quote& quoted, const stay_placement& place);
  client_task<> send_change(booking_pointer booking, change wanted);
  client_task<simulated_response> ask_change(manual_booking booking, change wanted);
  /// Reads a booking after an attempt without a response whose repetition shows that it had an effect.
  client_task<> learn_outcome(booking_pointer booking, change wanted);
  void settle(manual_booking& booking, const change& done, const std::string& tag);
  void give_up(manual_booking& booking);
  client_task<> read_back(booking_pointer booking);
  void check_body(const manual_booking& booking, const std::string& body);

  void compare_refusals(store::session& db, std::vector<std::string>& errors) const;
  void compare_quotes(store::session& db, const booking_records& stored,
                      std::vector<std::string>& errors) const;
  booking_pointer any_certain(bool with_cancelled);
  stay_placement random_place();
  stay_placement place_near(const stay_placement& place);
  void check_nights_taken(const simulated_response& response, const stay_placement& place,
                          const std::string& moved, bool is_doubted);
  shown_stays& shown() { return history_.facts().office_stays(); }

  std::vector<booking_pointer> bookings_;
  std::vector<refusal> refusals_;
  std::vector<final_quote> final_quotes_;
  std::set<std::string> cancellations_sent_; ///< ids of bookings; never forgotten
};

} // namespace roost::testing
