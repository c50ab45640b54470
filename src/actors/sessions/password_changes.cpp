#include "actors/sessions/password_changes.hpp"

#include "actors/sessions/ended_connections.hpp"
#include "domain/email_address.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <utility>

namespace roost::actors {

caf::result<password_response> password_changes::change(change_password& request) {
  auto response = self_->make_response_promise<password_response>();
  auto attempt = std::make_shared<password_attempt>();
  attempt->email = std::move(request.email);
  attempt->password = std::move(request.old_password);
  attempt->signed_in_user = request.user_id;
  const auto origin = std::move(request.origin);
  attempt->right = [this, response, id = request.user_id, new_password = std::move(request.new_password),
                    end_connections = request.end_connections, origin,
                    attempt = attempt.get()](const auto& user) mutable {
    if (user.deactivated || user.id != id) {
      gate_.leave(attempt->budget);
      return refuse(response, {password_result::wrong_password}, "changed_meanwhile", origin, id);
    }
    replace(response, user, {new_password, {}, end_connections, origin},
            [this, budget = attempt->budget] { gate_.leave(budget); });
  };
  attempt->wrong = [this, response, id = request.user_id, origin]() mutable {
    refuse(response, {password_result::wrong_password}, "wrong_password", origin, id);
  };
  attempt->rate_limited = [this, response, id = request.user_id, origin](store::rate_limited limit) mutable {
    refuse(response, {too_many_passwords{limit.retry_after}}, "too_many_passwords", origin, id);
  };
  attempt->failed = [response](caf::error error) mutable { response.deliver(std::move(error)); };
  gate_.enter(attempt);
  return response;
}

void password_changes::send_reset(forgot_password& request) {
  const auto lease = setup_.lease->current();
  if (!lease) return;
  const auto token = security::random_secret();
  store::reset_request reset{setup_.new_id(), security::key_hash(token), {}, setup_.now()};
  reset.mail = [mails = mails_, token, now = reset.now](const auto& user) {
    return mails->reset(user, token, now);
  };
  events_.count("reset_asked");
  log::info("password_reset_asked", {{"for", domain::masked_email(request.email)},
                                     {"remote", request.origin.address},
                                     {"request_id", request.origin.request_id}});
  in_storage(
      self_, setup_.storage, "send_reset",
      [lease = *lease, email = std::move(request.email), reset = std::move(reset),
       limits = setup_.limits](store::session& db) { store::send_reset(db, lease, email, reset, limits); },
      [this] { self_->send(setup_.mailer, send_due_mail{}); },
      [origin = request.origin](storage_error error) {
        log::warn(
            "password_reset_not_sent",
            {{"reason", to_string(error)}, {"remote", origin.address}, {"request_id", origin.request_id}});
      },
      deadline::in(sign_in_timeout));
}

caf::result<password_response> password_changes::reset(reset_password& request) {
  auto response = self_->make_response_promise<password_response>();
  auto token_hash = security::key_hash(request.token);
  in_storage(
      self_, setup_.storage, "user_of_reset",
      [token_hash, now = setup_.now()](store::session& db) {
        return store::user_of_reset(db, token_hash, now);
      },
      [this, response,
       requested =
           replacement{std::move(request.new_password), token_hash, request.end_connections,
                       std::move(request.origin)}](const std::optional<store::sign_in_user>& user) mutable {
        if (user)
          replace(response, *user, std::move(requested), [] {});
        else
          refuse(response, {password_result::link_not_valid}, "link_not_valid", requested.origin, {});
      },
      [response](storage_error error) mutable { response.deliver(make_error(error)); },
      deadline::in(sign_in_timeout));
  return response;
}

/// Hashes and stores the new password.
void password_changes::replace(password_promise response, const store::sign_in_user& user,
                               replacement requested, std::function<void()> after) {
  store::password_change change{user.id, user.epoch,   {},         std::move(requested.reset_token_hash),
                                {},      setup_.now(), budgets_of, requested.end_connections};
  change.notice = [mails = mails_, now = change.now](const auto& changed_user, const auto& assistants) {
    return mails->password_changed(changed_user, assistants, now);
  };
  const std::function<void(caf::error)> failed = [response, after](caf::error error) mutable {
    response.deliver(std::move(error));
    after();
  };
  self_
      ->request(setup_.hasher, caf::infinite,
                hash_password{std::move(requested.new_password), deadline::in(sign_in_timeout)})
      .then(
          [this, response, change, after, failed,
           origin = std::move(requested.origin)](std::string& hash) mutable {
            change.hash = std::move(hash);
            write_password(response, std::move(change), origin, after, failed);
          },
          [failed](caf::error& error) { failed(std::move(error)); });
}

void password_changes::write_password(password_promise response, store::password_change change,
                                      const request_origin& origin, std::function<void()> after,
                                      std::function<void(caf::error)> failed) {
  const auto lease = setup_.lease->current();
  if (!lease) return failed(make_error(storage_error::lease_lost));
  const auto id = change.user_id;
  in_storage(
      self_, setup_.storage, "change_password",
      [lease = *lease, change = std::move(change)](store::session& db) {
        return store::change_password(db, lease, change);
      },
      [this, response, after, id, origin](const std::optional<store::password_changed>& changed) mutable {
        if (changed)
          finish_change(response, *changed, origin);
        else
          refuse(response, {password_result::link_not_valid}, "changed_meanwhile", origin, id);
        after();
      },
      [failed](storage_error error) { failed(make_error(error)); }, deadline::in(sign_in_timeout));
}

void password_changes::finish_change(password_promise& response, const store::password_changed& changed,
                                     const request_origin& origin) {
  setup_.ended->end_earlier_epochs(changed.user_id, changed.epoch);
  for (const auto& connection : changed.ended_connections)
    record_connection_end(*setup_.ended, ended_connections_counter(*setup_.registry), connection.id,
                          setup_.access_token, setup_.now(), "connection_ended", origin);
  events_.count("password_changed");
  log::info("password_changed", {{"user", domain::to_string(changed.user_id)},
                                 {"remote", origin.address},
                                 {"request_id", origin.request_id}});
  self_->send(setup_.mailer, send_due_mail{});
  response.deliver(password_response{password_result::changed});
}

/// Responds without changing the password; `user` is nullopt if a link identified no user.
void password_changes::refuse(password_promise& response, password_response result, std::string_view reason,
                              const request_origin& origin, const std::optional<domain::uuid>& user) {
  log::info("password_change_refused", {{"reason", reason},
                                        {"user", user ? domain::to_string(*user) : std::string{}},
                                        {"remote", origin.address},
                                        {"request_id", origin.request_id}});
  events_.count(reason);
  response.deliver(std::move(result));
}

} // namespace roost::actors
