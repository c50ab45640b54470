#pragma once

#include "simulation/clients/office_client.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace roost::testing {

/// A member of a landlord's office: records what was received of payments, and undoes that. An acknowledged
/// receipt must be in each later response and in the store, whatever happens to its booking, and no receipt
/// may exceed its payment.
class bookkeeper final : public office_client {
public:
  bookkeeper(history& in, std::string name, std::shared_ptr<known_user> user, std::string listing_token,
             unsigned units);

  std::vector<std::string> differences(store::session& db) const override;

private:
  /// What was received of a payment; notes are unique.
  struct receipt {
    std::int64_t cents = 0;
    std::string note;
    bool operator==(const receipt&) const = default;
  };

  /// A payment about which a request was sent.
  struct known_payment {
    std::string booking;
    std::optional<receipt> received; ///< the last state that is certain
    bool is_certain = false;         ///< false while a request may still change it
    unsigned version = 0;            ///< the number of changes of this knowledge
  };

  /// A payment as a response shows it.
  struct shown_payment {
    std::string id, booking, tag;
    std::int64_t cents = 0; ///< the whole amount
    std::optional<receipt> received;
  };

  void forget() override;
  client_task<> act_once() override;
  client_task<> verify() override;
  client_task<> record();
  client_task<> record_too_much();
  client_task<> undo();
  client_task<> read_back(std::string id);

  static shown_payment parse(const std::string& item);
  static bool shows(const shown_payment& shown, const std::optional<receipt>& other);
  client_task<std::optional<shown_payment>> choose(bool is_received);
  client_task<std::optional<shown_payment>> find(std::string id, std::string booking);
  client_task<> write(shown_payment payment, std::optional<receipt> wanted);
  client_task<simulated_response> ask_write(const shown_payment& payment,
                                            const std::optional<receipt>& wanted);
  client_task<> learn_outcome(shown_payment payment, std::optional<receipt> wanted);
  void check(const known_payment& known, const std::string& id, const std::optional<shown_payment>& shown);
  std::string any_certain();

  std::map<std::string, known_payment> payments_; ///< by id
  std::set<std::string> written_;                 ///< ids of all requests so far; never forgotten
  std::set<std::string> unsettled_; ///< ids of payments that an abandoned request may change; never forgotten
  std::uint64_t notes_ = 0;
};

} // namespace roost::testing
