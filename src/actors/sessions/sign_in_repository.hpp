#pragma once

#include "actors/runtime/in_store.hpp"
#include "actors/sessions/sign_in_steps.hpp"

#include <memory>
#include <string>

namespace roost::actors {

/// Signs users in by code or identity for handlers (Management API, States and transitions, Sign-in
/// challenge). What follows a step happens on the storage thread, directly after the commit. Each function
/// throws ask_error.
class sign_in_repository {
public:
  explicit sign_in_repository(const sign_in_setup& setup);

  asio::awaitable<sign_in_response> enter_code(std::string challenge_token, std::string code,
                                               bool remember_browser, browser_facts browser) const;
  /// Sends another code by mail.
  asio::awaitable<sign_in_response> resend_code(std::string challenge_token,
                                                request_origin origin = {}) const;
  /// The identity comes from a third party's verified token.
  asio::awaitable<sign_in_response> sign_in_by_identity(store::identity identity,
                                                        browser_facts browser) const;

private:
  leased_lane lane_;
  const published<security::key_ring>* keys_;
  domain::sign_in_limits limits_;
  wall_clock now_;
  std::function<domain::uuid()> new_id_;
  std::shared_ptr<const sign_in_steps> steps_; ///< shared, because jobs may outlive the repository
};

} // namespace roost::actors
