#pragma once

#include "mail/transport.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

/// Keeps sent mails; fails or loses them while the flags are set.
class remembering_transport final : public mail::transport {
public:
  std::vector<mail::send_result> send(std::span<const domain::outgoing_mail> mails,
                                      const mail::delivery_gate& gate) override {
    if (together) return send_together(mails, gate);
    std::vector<mail::send_result> results;
    for (const auto& mail : mails) results.push_back({{}, failure_of(mail, gate)});
    return results;
  }

  std::size_t batch_size() const override { return together ? 100 : 1; }

  bool is_repeatable() const override { return repeatable; }

  std::size_t count() {
    std::lock_guard lock{mutex};
    return sent.size();
  }

  std::size_t count_to(const std::string& recipient) {
    std::lock_guard lock{mutex};
    return static_cast<std::size_t>(
        std::ranges::count(sent, recipient, [](const auto& mail) { return mail.to; }));
  }

  std::atomic<bool> failing = false, losing = false;
  std::atomic<bool> repeatable = false; ///< recipients get one mail however often it is sent
  std::atomic<bool> together = false;   ///< mails pass the gate together, as those in files do
  std::mutex mutex;
  std::vector<domain::outgoing_mail> sent;
  std::set<std::string> slow;    ///< recipients whose mails are confirmed once they are removed
  std::set<std::string> refused; ///< recipients whose mails are refused permanently

private:
  std::vector<mail::send_result> send_together(std::span<const domain::outgoing_mail> mails,
                                               const mail::delivery_gate& gate) {
    std::vector<domain::uuid> ids;
    for (const auto& mail : mails) ids.push_back(mail.id);
    try {
      gate(ids);
    } catch (const mail::send_failed& failed) {
      return std::vector<mail::send_result>(mails.size(), {{}, failed});
    }
    const std::lock_guard lock{mutex};
    sent.insert(sent.end(), mails.begin(), mails.end());
    return std::vector<mail::send_result>(mails.size());
  }

  std::optional<mail::send_failed> failure_of(const domain::outgoing_mail& mail,
                                              const mail::delivery_gate& gate) {
    if (failing) return mail::send_failed{"unreachable", false};
    try {
      gate({&mail.id, 1});
    } catch (const mail::send_failed& failed) {
      return failed;
    }
    std::unique_lock lock{mutex};
    if (refused.contains(mail.to)) return mail::send_failed{"refused", true};
    sent.push_back(mail);
    while (slow.contains(mail.to)) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    if (!losing) return std::nullopt;
    mail::send_failed lost{"unconfirmed", false};
    lost.possibly_delivered = true;
    return lost;
  }
};

} // namespace roost::testing
