#pragma once

#include "simulation/clients/known_connection.hpp"
#include "simulation/clients/user_client.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// An assistant, the landlord who approves and ends its connections, and the tool server that it uses. Checks
/// that an acknowledged end is final on every server, and that at most one chain of refresh tokens is valid.
class assistant final : public user_client {
public:
  assistant(history& in, std::string name, std::shared_ptr<known_user> user, std::string tool_server_key)
      : user_client(in, std::move(name), std::move(user)), tool_server_key_(std::move(tool_server_key)) {}

private:
  using connection_pointer = std::shared_ptr<known_connection>;

  client_task<> run() override;
  void forget() override;
  client_task<> act_once();
  client_task<> register_client();

  /// Approves the connection as the landlord. Returns the code, or an empty string.
  client_task<std::string> approve();
  client_task<> connect();
  client_task<> exchange(std::string code, time_point issued_at);
  http_call exchange_of(const std::string& code) const;
  connection_pointer store_tokens(const simulated_response& response, time_point sent_at);

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
  connection_pointer active_; ///< nullptr until the landlord approves
  std::vector<connection_pointer> connections_;
};

} // namespace roost::testing
