#include "actors/sessions/password_changes.hpp"

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
      response.deliver(writer_->refuse({password_result::wrong_password}, "changed_meanwhile", origin, id));
      return;
    }
    const auto accepted = std::make_shared<replacement>(
        replacement{response, attempt->budget, writer_->change_of(user), origin});
    accepted->change.end_connections = end_connections;
    replace(accepted, std::move(new_password));
  };
  attempt->wrong = [this, response, id = request.user_id, origin]() mutable {
    response.deliver(writer_->refuse({password_result::wrong_password}, "wrong_password", origin, id));
  };
  attempt->rate_limited = [this, response, id = request.user_id, origin](store::rate_limited limit) mutable {
    response.deliver(
        writer_->refuse({too_many_passwords{limit.retry_after}}, "too_many_passwords", origin, id));
  };
  attempt->failed = [response](caf::error error) mutable { response.deliver(std::move(error)); };
  gate_.enter(attempt);
  return response;
}

/// Hashes and stores the new password.
void password_changes::replace(const replacement_pointer& to, std::string new_password) {
  self_
      ->request(setup_.hasher, caf::infinite,
                hash_password{std::move(new_password), deadline::in(sign_in_timeout)})
      .then(
          [this, to](std::string& hash) {
            to->change.hash = std::move(hash);
            write(to);
          },
          [this, to](caf::error& error) { finish(*to, std::move(error)); });
}

void password_changes::write(const replacement_pointer& to) {
  const auto lease = setup_.lease->current();
  if (!lease) return finish(*to, make_error(storage_error::lease_lost));
  in_storage(
      self_, setup_.storage, "change_password",
      [lease = *lease, writer = writer_, change = to->change, origin = to->origin](store::session& db) {
        return writer->write(db, lease, change, origin);
      },
      [this, to](password_response& response) { finish(*to, std::move(response)); },
      [this, to](storage_error error) { finish(*to, make_error(error)); }, deadline::in(sign_in_timeout));
}

template <typename Response>
void password_changes::finish(replacement& with, Response response) {
  with.response.deliver(std::move(response));
  gate_.leave(with.budget);
}

} // namespace roost::actors
