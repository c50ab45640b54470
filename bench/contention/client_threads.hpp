#pragma once

#include "strategy.hpp"

#include <thread>

namespace roost::contention {

/// A client that blocks until it knows.
class blocking_client {
public:
  virtual ~blocking_client() = default;

  /// Tries until `patience`.
  virtual decision decide(const stay& wanted, clock::time_point patience) = 0;
};

/// A strategy whose clients have a thread each, as those of a database have.
class threaded_strategy : public strategy {
public:
  void start(orders& from, std::vector<std::unique_ptr<client_record>>& clients) final;
  void join() final;

protected:
  virtual std::unique_ptr<blocking_client> connect() = 0;

private:
  std::vector<std::thread> threads_;
};

} // namespace roost::contention
