#include "simulation/mailbox.hpp"

#include "domain/uuid.hpp"

namespace roost::testing {

std::vector<mail::send_result> mailbox::send(std::span<const domain::outgoing_mail> mails,
                                             const mail::delivery_gate& gate) {
  std::vector<mail::send_result> results;
  for (const auto& mail : mails) results.push_back({{}, deliver(mail, gate)});
  return results;
}

std::optional<mail::send_failed> mailbox::deliver(const domain::outgoing_mail& mail,
                                                  const mail::delivery_gate& gate) {
  const auto chosen = next_answer_();
  try {
    gate({&mail.id, 1});
  } catch (const mail::send_failed& failed) {
    return failed;
  }
  if (chosen == answer::deferred) return mail::send_failed("deferred", false);
  take(mail, chosen == answer::confirmed);
  if (chosen == answer::confirmed) return std::nullopt;
  mail::send_failed unconfirmed("unconfirmed", false);
  unconfirmed.possibly_delivered = true;
  return unconfirmed;
}

void mailbox::take(const domain::outgoing_mail& mail, bool is_confirmed) {
  constexpr int max_deliveries = 2;
  auto& known = received_[mail.id];
  const auto id = domain::to_string(mail.id);
  if (known.times == 0) mails_.push_back(mail);
  if (++known.times > max_deliveries)
    contradictions_.push_back("the mail " + id + " was sent " + std::to_string(known.times) + " times");
  else if (known.times > 1 && known.is_confirmed && known.disturbances == disturbances_())
    contradictions_.push_back("the mail " + id + " was sent twice although its delivery was confirmed");
  known.is_confirmed = is_confirmed;
  known.disturbances = disturbances_();
}

} // namespace roost::testing
