#include "actors/sessions/password_reset_repository.hpp"

#include "domain/email_address.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <caf/actor_cast.hpp>

#include <optional>
#include <utility>

namespace roost::actors {

namespace {

using link_work = std::function<void(store::session&, const store::lease&)>;

asio::awaitable<void> mail_link(leased_lane lane, link_work work, request_origin origin) {
  try {
    co_await in_store(std::move(lane), "send_reset", std::move(work));
  } catch (const ask_error& error) {
    log::warn("password_reset_not_sent", {{"reason", to_string(storage_error_of(error.reason()))},
                                          {"remote", origin.address},
                                          {"request_id", origin.request_id}});
  }
}

} // namespace

password_reset_repository::password_reset_repository(const sign_in_setup& setup)
    : lane_{setup.storage, setup.lease}, hasher_(caf::actor_cast<caf::weak_actor_ptr>(setup.hasher)),
      limits_(setup.limits), now_(setup.now), new_id_(setup.new_id),
      mails_(std::make_shared<const sign_in_mails>(setup.mails)), mailer_(setup.mailer),
      events_(*setup.registry), writer_(std::make_shared<const password_writer>(setup)) {}

password_hasher password_reset_repository::current_hasher() const {
  const auto strong = hasher_.lock();
  return strong ? caf::actor_cast<password_hasher>(strong) : password_hasher{};
}

asio::awaitable<void> password_reset_repository::send_link(std::string email, request_origin origin) const {
  if (!lane_.lease->current()) co_return;
  const auto token = security::random_secret();
  store::reset_request reset{new_id_(), security::key_hash(token), {}, now_()};
  reset.mail = [mails = mails_, token, now = reset.now](const auto& user) {
    return mails->reset(user, token, now);
  };
  events_.count("reset_asked");
  log::info(
      "password_reset_asked",
      {{"for", domain::masked_email(email)}, {"remote", origin.address}, {"request_id", origin.request_id}});
  link_work work = [email = std::move(email), reset = std::move(reset), limits = limits_,
                    mailer = mailer_](store::session& db, const store::lease& lease) {
    store::send_reset(db, lease, email, reset, limits);
    mailer.send_due_mail();
  };
  const auto executor = co_await asio::this_coro::executor;
  asio::co_spawn(executor, mail_link(lane_, std::move(work), std::move(origin)), asio::detached);
}

std::function<void(store::session&, const domain::uuid& user)>
password_reset_repository::invitation(const known_user& from) const {
  const auto token = security::random_secret();
  store::reset_request link{new_id_(), security::key_hash(token), {}, now_()};
  link.mail = [mails = mails_, token, from, now = link.now](const auto& user) {
    return mails->invitation(user, from, token, now);
  };
  return [link = std::move(link), limits = limits_](store::session& db, const domain::uuid& user) {
    store::send_invitation(db, user, link, link.now + invitation_lifetime, limits);
  };
}

void password_reset_repository::send_due_mail() const { mailer_.send_due_mail(); }

asio::awaitable<password_response> password_reset_repository::reset(password_reset request) const {
  auto token_hash = security::key_hash(request.token);
  std::function<std::optional<store::sign_in_user>(store::session&)> find_user =
      [token_hash, now = now_()](store::session& db) { return store::user_of_reset(db, token_hash, now); };
  const auto user = co_await in_store(lane_.lane, "user_of_reset", std::move(find_user));
  if (!user)
    co_return writer_->refuse({password_result::link_not_valid}, "link_not_valid", request.origin, {});
  auto change = writer_->change_of(*user);
  change.reset_token_hash = std::move(token_hash);
  change.end_connections = request.end_connections;
  auto hasher = current_hasher();
  hash_password hashing{std::move(request.new_password), response_deadline()};
  change.hash = co_await ask(std::move(hasher), std::move(hashing));
  std::function<password_response(store::session&, const store::lease&)> write =
      [writer = writer_, change = std::move(change), origin = std::move(request.origin)](
          store::session& db, const store::lease& lease) { return writer->write(db, lease, change, origin); };
  co_return co_await in_store(lane_, "change_password", std::move(write));
}

} // namespace roost::actors
