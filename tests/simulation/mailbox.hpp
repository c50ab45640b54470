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
  /// How the receiver answers.
  enum class answer { confirmed, deferred, unconfirmed };

  struct receiver {
    std::function<answer()> next_answer;
    std::function<std::chrono::nanoseconds()> next_delay;
    /// Returns how many faults have happened so far that may keep a delivery from being recorded.
    std::function<std::uint64_t()> disturbances;
    std::function<void(const std::string&)> tell; ///< adds to the story
  };

  explicit mailbox(receiver from) : receiver_(std::move(from)) {}

  std::vector<mail::send_result> send(std::span<const domain::outgoing_mail> mails,
                                      const mail::delivery_gate& gate) override;

  /// Returns the mails received so far, in the order of arrival, each once.
  const std::vector<domain::outgoing_mail>& mails() const { return mails_; }

  /// Also before the store was restored: a server may record a delivery in the store that takes its place.
  bool has_received(const domain::uuid& mail) const {
    return std::ranges::find(mails_, mail, &domain::outgoing_mail::id) != mails_.end();
  }

  /// Returns the deliveries that contradict the guarantees: more than two of a mail, or a second one without
  /// a reason.
  const std::vector<std::string>& contradictions() const { return contradictions_; }

  struct deliveries {
    int times = 0;
    bool is_confirmed = false;
    std::uint64_t disturbances = 0; ///< before the last one began
  };
  using received_mails = std::map<domain::uuid, deliveries>;

  const received_mails& state() const { return received_; }
  /// Forgets what came after that state: the store does not know it either.
  void restore(received_mails former) { received_ = std::move(former); }

private:
  std::optional<mail::send_failed> deliver(const domain::outgoing_mail& mail,
                                           const mail::delivery_gate& gate);
  void take(const domain::outgoing_mail& mail, bool is_confirmed, std::uint64_t disturbances);

  const receiver receiver_;
  received_mails received_;
  std::vector<domain::outgoing_mail> mails_;
  std::vector<std::string> contradictions_;
};

} // namespace roost::testing
