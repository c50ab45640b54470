#pragma once

#include "simulation/clients/user_client.hpp"
#include "store/database/transaction.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace roost::testing {

/// A page of the office that follows the events of its account and opens the stream again, on any server,
/// after each part. It must see the changes of every commit, in their order.
class event_follower final : public user_client {
public:
  event_follower(history& in, std::string name, std::shared_ptr<known_user> user);

  std::vector<std::string> differences(store::session& db) const override;

private:
  client_task<> run() override;
  void forget() override;
  client_task<> follow();
  /// Reads a text of the stream up to an empty line.
  void take(std::string_view event);
  void start_over();

  session_pointer session_;
  std::optional<store::stream_point> first_, last_; ///< it knows all events between them
  std::set<std::int64_t> seen_;
};

} // namespace roost::testing
