#pragma once

#include "store/database/connection.hpp"
#include "store/sessions/sign_ins.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace roost::testing {

/// A store with the sample portfolio, whose user signs in, and a writer's lease.
class sign_in_scene : public on_each_store {
protected:
  void SetUp() override {
    import_sample(session(), sample_portfolio());
    lease = take_lease(session());
    user = store::find_user(session(), "user1@landlord.example").value();
  }

  /// Performs the first step of a sign-in and returns its result.
  auto sign_in(domain::timestamp now, const std::string& challenge, const std::string& code = "123456") {
    store::password_sign_in request;
    request.user_id = user.id;
    request.epoch = user.epoch;
    request.remembered_token_hash = remembered;
    request.session = new_session(now);
    request.challenge_token_hash = challenge;
    request.code = outgoing_code(next_id(), code, now);
    return store::begin_sign_in(session(), lease, request, limits);
  }

  auto enter(const std::string& challenge, const std::string& code, domain::timestamp now,
             std::optional<std::string> remember = {}) {
    store::code_try attempt;
    attempt.token_hash = challenge;
    attempt.matches = [code](const domain::uuid&, const std::string& seal) { return seal == code; };
    attempt.remember_token_hash = std::move(remember);
    attempt.session = new_session(now);
    return store::try_code(session(), lease, attempt, limits);
  }

  auto resend(const std::string& challenge, const std::string& code, domain::timestamp now) {
    return store::resend_code(
        session(), lease,
        {challenge, [&](const domain::uuid&) { return outgoing_code(next_id(), code, now); }, now}, limits);
  }

  /// Performs both steps.
  store::session_started start_session(domain::timestamp now = moment("2026-11-20T12:00:00Z")) {
    const auto challenge = "challenge " + std::to_string(ids_);
    sign_in(now, challenge);
    const auto started = std::get<store::session_started>(enter(challenge, "123456", now));
    session_id = started.session_id;
    return started;
  }

  store::new_session new_session(domain::timestamp now) {
    return {next_id(),
            browser,
            "192.0.2.1",
            now,
            [this](const auto& to) { return mail(to, "new browser"); },
            browser_token_hash};
  }

  store::outgoing_code outgoing_code(const domain::uuid& id, const std::string& code, domain::timestamp now) {
    return {id, code, [this](const auto& to) { return mail(to, "code"); }, now};
  }

  domain::outgoing_mail mail(const store::sign_in_user& recipient, const std::string& subject) {
    return {next_id(), recipient.email, subject, "text", "html", noon, true};
  }

  /// Returns the subjects of all outgoing mails.
  std::vector<std::string> mails() {
    static const store::selection subjects{"test_subjects",
                                           "select {columns} from outgoing_mail order by created_at, id",
                                           store::named<std::string>("subject")};
    return session().internals().read_all(subjects);
  }

  /// Changes columns of the user as an import does, for example `role = 'Viewer'`.
  void change_user(const std::string& assignments) {
    session().internals().script("change_user", "update users set " + assignments + " where id = '" +
                                                    domain::to_string(user.id) + "'");
  }

  domain::uuid next_id() { return numbered_id(77, ++ids_); }

  const domain::timestamp noon = moment("2026-11-20T12:00:00Z");
  domain::sign_in_limits limits{
      std::chrono::days{30},   std::chrono::days{30}, std::chrono::minutes{10}, 5, 3, 5, 10,
      std::chrono::minutes{30}};
  store::lease lease;
  store::sign_in_user user;
  domain::uuid session_id{};
  std::string browser = "Firefox/140";
  std::string browser_token_hash = "browser"; ///< of the cookie that marks the browser
  std::string remembered;                     ///< the hash of the cookie sent by the browser

private:
  unsigned long ids_ = 0;
};

} // namespace roost::testing
