#include "actors/sessions/password_changes.hpp"

#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <utility>

namespace roost::actors {

caf::result<password_response> password_changes::change(change_password& wanted) {
  auto answer = self_->make_response_promise<password_response>();
  auto attempt = std::make_shared<password_try>();
  attempt->email = std::move(wanted.email);
  attempt->password = std::move(wanted.old_password);
  attempt->right = [this, answer, id = wanted.user_id, fresh = std::move(wanted.new_password),
                    attempt = attempt.get()](const auto& user) mutable {
    if (user.deactivated || user.id != id) {
      gate_.leave(attempt->line);
      return refuse(answer, {password_result::wrong_password}, "changed_meanwhile", id);
    }
    replace(answer, user, fresh, {}, [this, line = attempt->line] { gate_.leave(line); });
  };
  attempt->wrong = [this, answer, id = wanted.user_id]() mutable {
    refuse(answer, {password_result::wrong_password}, "wrong_password", id);
  };
  attempt->too_many = [this, answer, id = wanted.user_id](store::rate_limited over) mutable {
    refuse(answer, {too_many_passwords{over.retry_after}}, "too_many_passwords", id);
  };
  attempt->failed = [answer](caf::error why) mutable { answer.deliver(std::move(why)); };
  gate_.enter(std::move(attempt));
  return answer;
}

void password_changes::forget(forgot_password& wanted) {
  const auto lease = setup_.lease->current();
  if (!lease) return;
  const auto token = security::random_secret();
  store::reset_request wish{setup_.new_id(), security::key_hash(token), {}, setup_.now()};
  wish.mail = [mails = mails_, token, now = wish.now](const auto& user) {
    return mails->reset(user, token, now);
  };
  events_.count("reset_asked");
  in_storage(
      self_, setup_.storage, "send_reset",
      [lease = *lease, email = std::move(wanted.email), wish = std::move(wish),
       limits = setup_.limits](store::session& db) { store::send_reset(db, lease, email, wish, limits); },
      [this] { self_->send(setup_.mailer, send_due_mail{}); },
      [](storage_error why) {
        log::warn("password_reset_not_sent", {{"reason", to_string(why)}});
      },
      deadline::in(sign_in_patience));
}

caf::result<password_response> password_changes::reset(reset_password& wanted) {
  auto answer = self_->make_response_promise<password_response>();
  auto token_hash = security::key_hash(wanted.token);
  in_storage(
      self_, setup_.storage, "user_of_reset",
      [token_hash, now = setup_.now()](store::session& db) {
        return store::user_of_reset(db, token_hash, now);
      },
      [this, answer, token_hash,
       fresh = std::move(wanted.new_password)](const std::optional<store::sign_in_user>& user) mutable {
        if (user)
          replace(answer, *user, fresh, token_hash, [] {});
        else
          refuse(answer, {password_result::link_not_valid}, "link_not_valid", {});
      },
      [answer](storage_error why) mutable { answer.deliver(make_error(why)); },
      deadline::in(sign_in_patience));
  return answer;
}

/// Hashes the new password and writes it.
void password_changes::replace(password_promise answer, const store::sign_in_user& user,
                               const std::string& fresh, std::string reset_token_hash,
                               std::function<void()> then) {
  store::password_change wanted{user.id, user.epoch, {}, std::move(reset_token_hash), {}, setup_.now()};
  wanted.notice = [mails = mails_, now = wanted.now](const auto& to) {
    return mails->password_changed(to, now);
  };
  const std::function<void(caf::error)> failed = [answer, then](caf::error why) mutable {
    answer.deliver(std::move(why));
    then();
  };
  self_->request(setup_.hasher, caf::infinite, hash_password{fresh, deadline::in(sign_in_patience)})
      .then(
          [this, answer, wanted, then, failed](std::string& hash) mutable {
            wanted.hash = std::move(hash);
            write_password(answer, std::move(wanted), then, failed);
          },
          [failed](caf::error& why) { failed(std::move(why)); });
}

void password_changes::write_password(password_promise answer, store::password_change wanted,
                                      std::function<void()> then, std::function<void(caf::error)> failed) {
  const auto lease = setup_.lease->current();
  if (!lease) return failed(make_error(storage_error::lease_lost));
  const auto id = wanted.user_id;
  in_storage(
      self_, setup_.storage, "change_password",
      [lease = *lease, wanted = std::move(wanted)](store::session& db) {
        return store::change_password(db, lease, wanted);
      },
      [this, answer, then, id](const std::optional<store::password_changed>& done) mutable {
        if (done)
          password_was_changed(answer, *done);
        else
          refuse(answer, {password_result::link_not_valid}, "changed_meanwhile", id);
        then();
      },
      [failed](storage_error why) { failed(make_error(why)); }, deadline::in(sign_in_patience));
}

void password_changes::password_was_changed(password_promise& answer, const store::password_changed& done) {
  setup_.ended->end_earlier(done.user_id, done.epoch);
  events_.count("password_changed");
  log::info("password_changed", {{"user", domain::to_string(done.user_id)}});
  self_->send(setup_.mailer, send_due_mail{});
  answer.deliver(password_response{password_result::changed});
}

/// No new password; `user` is nobody where a link told nothing.
void password_changes::refuse(password_promise& answer, password_response told, std::string_view why,
                              const std::optional<domain::uuid>& user) {
  log::info("password_change_refused",
            {{"reason", why}, {"user", user ? domain::to_string(*user) : std::string{}}});
  events_.count(why);
  answer.deliver(std::move(told));
}

} // namespace roost::actors
