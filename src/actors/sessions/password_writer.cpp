#include "actors/sessions/password_writer.hpp"

#include "actors/sessions/ended_connections.hpp"
#include "log/log.hpp"

namespace roost::actors {

password_writer::password_writer(const sign_in_setup& setup)
    : mails_(std::make_shared<const sign_in_mails>(setup.mails)), now_(setup.now), ended_(setup.ended),
      registry_(*setup.registry), access_token_(setup.access_token), mailer_(setup.mailer),
      events_(*setup.registry) {}

store::password_change password_writer::change_of(const store::sign_in_user& user) const {
  store::password_change change;
  change.user_id = user.id;
  change.epoch = user.epoch;
  change.now = now_();
  change.budgets = budgets_of;
  change.notice = [mails = mails_, now = change.now](const auto& changed_user, const auto& assistants) {
    return mails->password_changed(changed_user, assistants, now);
  };
  return change;
}

password_response password_writer::write(store::session& db, const store::lease& lease,
                                         const store::password_change& change,
                                         const request_origin& origin) const {
  const auto changed = store::change_password(db, lease, change);
  if (!changed) return refuse({password_result::link_not_valid}, "changed_meanwhile", origin, change.user_id);
  ended_->end_earlier_epochs(changed->user_id, changed->epoch);
  for (const auto& connection : changed->ended_connections)
    record_connection_end(*ended_, ended_connections_counter(registry_), connection.id, access_token_, now_(),
                          "connection_ended", origin);
  events_.count("password_changed");
  log::info("password_changed", {{"user", domain::to_string(changed->user_id)},
                                 {"remote", origin.address},
                                 {"request_id", origin.request_id}});
  mailer_.send_due_mail();
  return {password_result::changed};
}

password_response password_writer::refuse(password_response response, std::string_view reason,
                                          const request_origin& origin,
                                          const std::optional<domain::uuid>& user) const {
  log::info("password_change_refused", {{"reason", reason},
                                        {"user", user ? domain::to_string(*user) : std::string{}},
                                        {"remote", origin.address},
                                        {"request_id", origin.request_id}});
  events_.count(reason);
  return response;
}

} // namespace roost::actors
