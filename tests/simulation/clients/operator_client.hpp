#pragma once

#include "simulation/clients/known_connection.hpp"
#include "simulation/clients/known_user.hpp"
#include "simulation/clients/simulated_client.hpp"
#include "simulation/prepared_world.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// An operator who uses the program's commands to import versions of an account (imported_account.hpp), issue
/// and revoke keys, and end sessions and connections. Commands may be killed. Checks that an acknowledged
/// command is visible on every server.
class operator_client final : public simulated_client {
public:
  using users = std::vector<std::shared_ptr<known_user>>;

  operator_client(history& in, std::string name, users known, std::string listing_token)
      : simulated_client(in, std::move(name)), users_(std::move(known)), token_(std::move(listing_token)) {}

private:
  /// A tool server's key that the operator has issued.
  struct known_key {
    std::string id, text;
    bool may_be_issued = true, is_issued = false;
    bool may_have_ended = false, has_ended = false;
  };

  client_task<> run() override;
  void forget() override;
  unsigned random_unit();
  void import_account();
  void issue_key();
  void end_key(known_key& key);
  void end_session();
  void end_connection();

  client_task<> read_unit(unsigned number);
  client_task<> use_key(known_key key);
  client_task<> check_everything();
  void check_unit(const simulated_response& response, int acknowledged);
  void check_key(const known_key& key, const known_key& as_sent, const simulated_response& response) const;

  const users users_;
  const std::string token_;
  int imported_ = 0; ///< the newest version that was acknowledged or that a read has shown
  int sent_ = 0;     ///< the newest version that was imported
  std::vector<known_key> keys_;
};

} // namespace roost::testing
