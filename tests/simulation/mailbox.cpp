#include "simulation/mailbox.hpp"

#include "domain/uuid.hpp"
#include "simulation/seeded_scheduler.hpp"

#include <algorithm>

namespace roost::testing {

std::vector<mail::send_result> mailbox::send(std::span<const domain::outgoing_mail> mails,
                                             const mail::delivery_gate& gate) {
  std::vector<mail::send_result> results;
  for (const auto& mail : mails) results.push_back({{}, deliver(mail, gate)});
  return results;
}

std::optional<mail::send_failed> mailbox::deliver(const domain::outgoing_mail& mail,
                                                  const mail::delivery_gate& gate) {
  const auto chosen = receiver_.next_reply();
  const auto fault_count = receiver_.fault_count();
  try {
    gate({&mail.id, 1});
  } catch (const mail::send_failed& failed) {
    return failed;
  }
  if (chosen == reply::deferred) return mail::send_failed("deferred", false);
  mail::send_failed unconfirmed("unconfirmed", false);
  unconfirmed.possibly_delivered = true;
  if (!seeded_scheduler::sleep(receiver_.next_delay())) return unconfirmed; // killed before it was delivered
  receive(mail, chosen == reply::confirmed, fault_count);
  seeded_scheduler::sleep(receiver_.next_delay());
  if (chosen == reply::confirmed) return std::nullopt;
  return unconfirmed;
}

void mailbox::receive(const domain::outgoing_mail& mail, bool is_confirmed, std::uint64_t fault_count) {
  constexpr int max_deliveries = 2;
  auto& known = received_[mail.id];
  const auto id = domain::to_string(mail.id);
  receiver_.add_to_story("the mail " + id + " is received");
  if (known.times == 0) mails_.push_back(mail);
  if (++known.times > max_deliveries)
    contradictions_.push_back("the mail " + id + " was sent " + std::to_string(known.times) + " times");
  else if (known.times > 1 && known.is_confirmed && // the slower delivery may have begun first
           std::min(known.fault_count, fault_count) == receiver_.fault_count())
    contradictions_.push_back("the mail " + id + " was sent twice although its delivery was confirmed");
  known.is_confirmed = is_confirmed;
  known.fault_count = fault_count;
}

} // namespace roost::testing
