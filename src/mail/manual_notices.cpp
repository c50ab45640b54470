#include "mail/manual_notices.hpp"

#include "domain/text.hpp"
#include "mail/stay_words.hpp"

#include <string>
#include <utility>

namespace roost::mail {

namespace {

using domain::one_line;

domain::notification notice_of(const manual_write& write, const stay_facts& stay, const char* kind,
                               std::string title, std::string body) {
  domain::notification notice{.id = write.notice_id,
                              .account_id = write.account_id,
                              .kind = kind,
                              .title = std::move(title),
                              .body = std::move(body),
                              .booking_id = write.booking_id,
                              .created_at = write.now,
                              .unit_id = stay.unit_id};
  if (!stay.request.id.is_nil()) notice.request_id = stay.request.id;
  return notice;
}

/// `, booked on marketplace-a, reference 5f0c…,`; empty without a platform.
std::string booked_on(const stay_words& stay) {
  return stay.platform.empty() ? "" : ", booked on " + stay.origin() + ",";
}

/// Returns what the landlord still has to do; `outcome` is what does not happen by itself.
std::string reminder_about(const stay_words& stay, const std::string& outcome) {
  if (stay.platform.empty()) return " Please settle it with the guest: " + outcome + ".";
  return " " + stay.platform + " is not notified, and " + outcome + ": please settle it with " +
         stay.platform + ".";
}

/// Returns what a platform pays now; empty if it pays what it paid before.
std::string new_payment(const std::string& platform, const domain::booking_request& before,
                        const domain::booking_request& after) {
  if (before.provider_payment == after.provider_payment) return {};
  const auto amount = [](const domain::booking_request& of) {
    return domain::to_string(of.provider_payment.value_or(domain::money{}));
  };
  return " " + platform + " pays you " + amount(after) + " for it instead of " + amount(before) + ".";
}

/// `by` is who changed it, `reminder` what the landlord still has to do; both begin with a space.
domain::notification changed_notice(const manual_write& write, const stay_facts& before,
                                    const stay_facts& after, std::span<const domain::stay_warning> warnings,
                                    const std::string& by, const std::string& reminder) {
  const stay_words was(before), is(after);
  auto body =
      "The stay of " + was.guest + " " + was.dates() + booked_on(was) + " was changed" + by + ". It is now";
  if (is.unit != was.unit) body += " in " + is.unit + ",";
  body += " " + is.dates() + ", " + is.people + "." + reminder + warnings_text(warnings, is);
  return notice_of(write, after, "booking_changed", "Booking changed: " + was.unit, std::move(body));
}

} // namespace

domain::notification booked_by_hand_notice(const manual_write& write, const stay_facts& stay,
                                           std::span<const domain::stay_warning> warnings) {
  const stay_words words(stay);
  return notice_of(write, stay, "booking_created", "New booking: " + words.unit,
                   words.guest + " stays " + words.dates() + ", " + words.people + ". Booked here by " +
                       one_line(write.by) + (words.platform.empty() ? "" : " for " + words.platform) + "." +
                       warnings_text(warnings, words));
}

domain::notification changed_by_hand_notice(const manual_write& write, const stay_facts& before,
                                            const stay_facts& after,
                                            std::span<const domain::stay_warning> warnings) {
  return changed_notice(write, before, after, warnings, " here by " + one_line(write.by),
                        reminder_about(stay_words(before), "payments that you received stay as they are"));
}

domain::notification changed_by_platform_notice(const manual_write& write, const stay_facts& before,
                                                const stay_facts& after,
                                                std::span<const domain::stay_warning> warnings) {
  const auto by = one_line(write.by);
  return changed_notice(write, before, after, warnings, " by " + by,
                        new_payment(by, before.request, after.request) +
                            " Payments that you received stay as they are: please settle a difference with " +
                            by + ".");
}

domain::notification cancelled_by_hand_notice(const manual_write& write, const stay_facts& stay,
                                              std::string_view reason) {
  const stay_words words(stay);
  auto body = "The stay of " + words.guest + " " + words.dates() + booked_on(words) +
              " was cancelled here by " + one_line(write.by) + ". The nights are free again." +
              reminder_about(words, "nothing is refunded");
  if (const auto text = one_line(reason); !text.empty()) body += " Reason: " + text;
  return notice_of(write, stay, "booking_cancelled", "Booking cancelled: " + words.unit, std::move(body));
}

} // namespace roost::mail
