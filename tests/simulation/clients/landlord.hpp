#pragma once

#include "simulation/clients/user_client.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// A landlord with a browser: signs in and out, refreshes the session, changes the password, lists sessions
/// and ends them, and reads the account's AI usage.
class landlord final : public user_client {
public:
  landlord(history& in, std::string name, std::shared_ptr<known_user> user);

private:
  client_task<> run() override;
  void forget() override;
  client_task<> act_once();
  client_task<> sign_out();
  client_task<> change_password();
  client_task<> list_sessions();
  client_task<> list_usage();
  client_task<> end_session(std::string form);
  void check_list(const std::string& page, const std::vector<session_pointer>& known,
                  const std::vector<session_pointer>& ended) const;

  client_task<> check_everything();

  session_pointer session_;
  unsigned mistake_percent_; ///< the probability of wrong passwords and codes
};

} // namespace roost::testing
