#pragma once

#include "simulation/clients/known_connection.hpp"
#include "simulation/clients/user_client.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// An assistant, its landlord who approves and ends connections, and the tool server that it uses. An
/// acknowledged end is final on every server, and at most one chain of refresh tokens lives.
class assistant final : public user_client {
public:
  assistant(history& in, std::string name, std::shared_ptr<known_user> user, std::string tool_server_key)
      : user_client(in, std::move(name), std::move(user)), tool_server_key_(std::move(tool_server_key)) {}

private:
  using connection_pointer = std::shared_ptr<known_connection>;

  client_task<> live() override;
  void forget() override;
  client_task<> act_once();
  client_task<> register_client();

  /// The landlord approves; returns the code, or an empty string.
  client_task<std::string> approve();
  client_task<> connect();
  client_task<> exchange(std::string code, time_point issued_at);
  http_call exchange_of(const std::string& code) const;
  connection_pointer take_tokens(const simulated_response& response, time_point sent_at);

  client_task<> refresh_tokens(connection_pointer connection);
  client_task<> reuse_token(connection_pointer connection);
  client_task<> end_connection(connection_pointer connection);
  client_task<> introspect(connection_pointer connection);
  client_task<> check_everything();
  http_call introspection_of(const known_connection& connection) const;
  http_call refresh_of(const known_connection& connection, const std::string& token) const;
  void check_introspection(const known_connection& connection, const simulated_response& response,
                           bool had_ended);

  const std::string tool_server_key_;
  std::string client_id_;
  session_pointer session_;
  connection_pointer live_; ///< nullptr: the landlord has to approve first
  std::vector<connection_pointer> connections_;
};

} // namespace roost::testing
