#pragma once

#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace roost::testing {

/// A service that records its calls of AI models in the ledger, and repeats records. While servers may be
/// killed, acceptance guarantees nothing, so at the end it sends all records again. Checks that each is
/// counted exactly once.
class usage_service final : public simulated_client {
public:
  usage_service(history& in, std::string name, std::string key)
      : simulated_client(in, std::move(name)), key_(std::move(key)) {}

  std::vector<std::string> differences(store::session& db) const override;

private:
  struct record {
    std::string id;
    std::int64_t tokens = 0;
  };

  client_task<> run() override;
  client_task<> send_at_end();
  http_call call_of(std::size_t first, std::size_t count) const;
  void add_record();

  const std::string key_;
  std::vector<record> records_;
};

} // namespace roost::testing
