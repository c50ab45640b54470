#include "actors/mailing/mail_sender.hpp"

#include "actors/runtime/threadless_scheduler.hpp"
#include "mail/notices.hpp"

#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace roost::actors {

namespace {

/// The reason of a failure if several mails were recorded together, and the store did not record one of them.
constexpr const char* rejected_group = "rejected_group";

domain::outgoing_mail to_send(const store::due_mail& due) {
  return due.parts.empty() ? due.mail : mail::gathered_refusals(due.parts, due.ids.size());
}

class sender_state : public actor_state<mail_sender> {
public:
  static constexpr const char* name = "mail_sender";
  using actor_state::actor_state;

  behavior open(storage_actor storage, std::shared_ptr<const held_lease> lease,
                std::shared_ptr<mail::transport> transport) {
    storage_ = std::move(storage);
    lease_ = std::move(lease);
    transport_ = std::move(transport);
    return {[this](const send_batch& message) {
      send(*message.batch);
      return batch_sent{message.batch};
    }};
  }

private:
  void send(mail_batch& batch) {
    batch.failures.assign(batch.mails.size(), std::nullopt);
    std::deque<std::vector<std::size_t>> groups(1, std::vector<std::size_t>(batch.mails.size()));
    std::iota(groups.front().begin(), groups.front().end(), std::size_t{0});
    for (; !groups.empty(); groups.pop_front()) {
      send(batch, groups.front());
      const auto again = in_rejected_group(batch, groups.front());
      const auto middle = again.begin() + std::ssize(again) / 2;
      if (middle != again.begin()) groups.emplace_back(again.begin(), middle);
      if (middle != again.end()) groups.emplace_back(middle, again.end());
    }
  }

  /// Sends the mails with these indexes together.
  void send(mail_batch& batch, std::span<const std::size_t> group) {
    bool begun = false;
    try {
      std::vector<domain::outgoing_mail> mails;
      for (const auto index : group) mails.push_back(to_send(batch.mails[index]));
      const auto results = transport_->send(mails, [&](std::span<const domain::uuid> ids) {
        begin_deliveries(batch, ids);
        begun = true;
      });
      for (std::size_t i = 0; i < results.size(); ++i) batch.failures[group[i]] = results[i].failure;
    } catch (const std::exception&) {
      mail::send_failed failed{"unexpected", false};
      failed.possibly_delivered = begun && !transport_->is_repeatable();
      for (const auto index : group) batch.failures[index] = failed;
    }
  }

  /// Returns the mails to send again in halves, because one of several cannot be recorded.
  static std::vector<std::size_t> in_rejected_group(const mail_batch& batch,
                                                    std::span<const std::size_t> group) {
    std::vector<std::size_t> again;
    for (const auto index : group)
      if (const auto& failed = batch.failures[index]; failed && failed->error_class == rejected_group)
        again.push_back(index);
    return again;
  }

  /// Returns once the store has recorded the attempts. Throws send_failed if it did not.
  void begin_deliveries(const mail_batch& batch, std::span<const domain::uuid> ids) {
    const auto lease = lease_->current();
    if (!lease) throw mail::send_failed(unrecorded, false);
    std::vector<const store::due_mail*> mails;
    for (const auto& mail : batch.mails)
      if (std::ranges::find(ids, mail.mail.id) != ids.end()) mails.push_back(&mail);
    bool recorded = false;
    std::string_view reason = changed_meanwhile;
    const auto counted =
        transport_->is_repeatable() ? store::counted_delivery::no : store::counted_delivery::yes;
    caf::scoped_actor waiting{self_->home_system()};
    auto response = waiting->request(storage_, caf::infinite,
                                     make_storage_job("begin_deliveries", {}, [&](store::session& db) {
                                       return store::begin_deliveries(db, *lease, mails, counted);
                                     }));
    await_message(waiting);
    response.receive([&](storage_result& done) { recorded = std::any_cast<bool>(done.value); },
                     [&](const caf::error& error) {
                       reason = may_concern_one_row(storage_error_of(error)) ? rejected_by_store : unrecorded;
                     });
    if (recorded) return;
    const bool concerns_one_mail = reason != unrecorded;
    throw mail::send_failed(concerns_one_mail && mails.size() > 1 ? rejected_group : std::string(reason),
                            false);
  }

  storage_actor storage_;
  std::shared_ptr<const held_lease> lease_;
  std::shared_ptr<mail::transport> transport_;
};

} // namespace

mail_sender spawn_mail_sender(runtime& rt, storage_actor storage, std::shared_ptr<const held_lease> lease,
                              std::shared_ptr<mail::transport> transport) {
  return rt.spawn_detached<sender_state>(std::move(storage), std::move(lease), std::move(transport));
}

} // namespace roost::actors
