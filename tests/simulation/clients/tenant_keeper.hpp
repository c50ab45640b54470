#pragma once

#include "service/support/manual_bookings.hpp"
#include "simulation/clients/office_client.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// A member of a landlord's office: books stays for guests of its own, changes what is known about them,
/// notes payments, moves and cancels the stays, and erases the guests. What was acknowledged must be in each
/// later response and in the store; after an erasure, the store must have nothing about the guest.
class tenant_keeper final : public office_client {
public:
  tenant_keeper(history& in, std::string name, std::shared_ptr<known_user> user, std::string listing_token,
                unsigned units);

  std::vector<std::string> differences(store::session& db) const override;

  /// Returns whether a booking is one of this client, which no other client changes.
  static bool owns(std::string_view booking) { return booking.starts_with("a0000000-"); }

private:
  /// A guest with a stay.
  struct kept_tenant {
    std::string marker; ///< part of every text about the guest, and of no other one
    std::string id, tag;
    std::string booking;
    std::string email, last_name, phone;
    std::map<std::string, std::string> receipts; ///< amounts, by id of the payment
    bool is_cancelled = false, is_erased = false;
  };
  using tenant_pointer = std::shared_ptr<kept_tenant>;

  void forget() override;
  client_task<> act_once() override;
  client_task<> verify() override;

  client_task<> book();
  client_task<> change(tenant_pointer tenant);
  client_task<> receive(tenant_pointer tenant);
  client_task<> move(tenant_pointer tenant);
  client_task<> cancel(tenant_pointer tenant);
  client_task<> erase(tenant_pointer tenant);
  client_task<> check_details(tenant_pointer tenant);
  client_task<> check_list(tenant_pointer tenant);
  client_task<> check_receipts(tenant_pointer tenant);

  /// A response, and whether an earlier attempt may have had an effect.
  struct outcome {
    simulated_response response;
    bool is_doubted = false;
  };

  /// Retries a request in doubt. If nothing is certain at the end, forgets the tenant and returns status 0.
  client_task<outcome> ask_about(tenant_pointer tenant, std::string purpose, std::string method,
                                 std::string path, std::string body = {}, std::string if_match = {});
  client_task<std::string> tag_of_booking(tenant_pointer tenant);
  client_task<> change_stay(tenant_pointer tenant, std::string purpose, std::string method, std::string path,
                            std::string body);
  void check_body(const kept_tenant& tenant, const std::string& body) const;
  bool is_known(const tenant_pointer& tenant) const;
  stay_placement next_place();

  std::vector<tenant_pointer> tenants_;
  // Counted on, even after a backup was restored.
  std::size_t guests_ = 0, places_ = 0, texts_ = 0;
};

} // namespace roost::testing
