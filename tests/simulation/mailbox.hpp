#pragma once

#include "mail/transport.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roost::testing {

/// Receives the mail of all simulated servers. Counts the deliveries of each mail.
class mailbox final : public mail::transport {
public:
  /// The receiver's reply to a delivery.
  enum class reply { confirmed, deferred, unconfirmed };

  struct receiver {
    std::function<reply()> next_reply;
    std::function<std::chrono::nanoseconds()> next_delay;
    /// Returns the number of faults so far that may prevent the recording of a delivery.
    std::function<std::uint64_t()> fault_count;
    std::function<void(const std::string&)> add_to_story;
  };

  explicit mailbox(receiver from) : receiver_(std::move(from)) {}

  std::vector<mail::send_result> send(std::span<const domain::outgoing_mail> mails,
                                      const mail::delivery_gate& gate) override;

  /// Returns the mails received so far, in the order of arrival, each once.
  const std::vector<domain::outgoing_mail>& mails() const { return mails_; }

  /// Includes deliveries before a restore: a server may record one in the restored store.
  bool has_received(const domain::uuid& mail) const {
    return std::ranges::find(mails_, mail, &domain::outgoing_mail::id) != mails_.end();
  }

  /// Returns descriptions of deliveries that violate the guarantees: more than two of a mail, or a second one
  /// without a reason.
  const std::vector<std::string>& contradictions() const { return contradictions_; }

  struct deliveries {
    int times = 0;
    bool is_confirmed = false;
    std::uint64_t fault_count = 0; ///< at the start of the last delivery
  };
  using received_mails = std::map<domain::uuid, deliveries>;

  const received_mails& state() const { return received_; }
  /// Restores an earlier state, together with the store.
  void restore(received_mails former) { received_ = std::move(former); }

private:
  std::optional<mail::send_failed> deliver(const domain::outgoing_mail& mail,
                                           const mail::delivery_gate& gate);
  void receive(const domain::outgoing_mail& mail, bool is_confirmed, std::uint64_t fault_count);

  const receiver receiver_;
  received_mails received_;
  std::vector<domain::outgoing_mail> mails_;
  std::vector<std::string> contradictions_;
};

} // namespace roost::testing
