#include "actors/sessions/password_gate.hpp"

#include "domain/case_folding.hpp"

namespace roost::actors {

namespace {

constexpr std::string_view address_purpose = "address of a wrong password";

} // namespace

void password_gate::enter(try_pointer attempt) {
  attempt->line = domain::folded_case(attempt->email);
  attempt->address_hash = security::to_hex(
      security::keyed_hash(setup_.keys->get()->newest().key, address_purpose, attempt->line));
  if (!lines_.add(attempt->line, [this, attempt] { look_up(attempt); }))
    attempt->failed(make_error(storage_error::unavailable));
}

/// The line's turn is over, without anything more to do.
void password_gate::finish(const try_pointer& attempt, const std::function<void()>& tell_it) {
  tell_it();
  lines_.done(attempt->line);
}

void password_gate::fail(const try_pointer& attempt, caf::error why) {
  finish(attempt, [&] { attempt->failed(std::move(why)); });
}

void password_gate::look_up(const try_pointer& attempt) {
  in_storage(
      self_, setup_.storage, "read_sign_in",
      [attempt, now = setup_.now(), limits = setup_.limits](store::session& db) {
        return store::read_sign_in(db, attempt->email, attempt->address_hash, now, limits);
      },
      [this, attempt](store::sign_in_facts facts) {
        if (facts.wrong_passwords) return finish(attempt, [&] { attempt->too_many(*facts.wrong_passwords); });
        verify(attempt, std::move(facts.user));
      },
      [this, attempt](storage_error why) { fail(attempt, make_error(why)); }, deadline::in(sign_in_patience));
}

/// The same work whether or not there is such a user.
void password_gate::verify(const try_pointer& attempt, std::optional<store::sign_in_user> user) {
  auto encoded = user ? user->password_hash : std::nullopt;
  self_
      ->request(setup_.hasher, caf::infinite,
                verify_password{attempt->password, std::move(encoded), deadline::in(sign_in_patience)})
      .then(
          [this, attempt, user = std::move(user)](bool matches) {
            if (matches)
              attempt->right(*user);
            else
              record_wrong(attempt);
          },
          [this, attempt](caf::error& why) { fail(attempt, std::move(why)); });
}

void password_gate::record_wrong(const try_pointer& attempt) {
  const auto lease = setup_.lease->current();
  if (!lease) return fail(attempt, make_error(storage_error::lease_lost));
  in_storage(
      self_, setup_.storage, "record_wrong_password",
      [attempt, lease = *lease, id = setup_.new_id(), now = setup_.now()](store::session& db) {
        store::record_wrong_password(db, lease, id, attempt->address_hash, now);
      },
      [this, attempt] { finish(attempt, attempt->wrong); },
      [this, attempt](storage_error why) { fail(attempt, make_error(why)); }, deadline::in(sign_in_patience));
}

} // namespace roost::actors
