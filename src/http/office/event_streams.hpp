#pragma once

#include "domain/uuid.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace roost::http {

/// Limits the number of open event streams, per user and in total. Thread-safe.
class event_streams : public std::enable_shared_from_this<event_streams> {
public:
  static constexpr std::size_t max_of_user = 20, max_of_all = 2'000;

  /// An open stream, counted during its lifetime.
  class slot {
  public:
    slot(std::shared_ptr<event_streams> streams, const domain::uuid& user);
    ~slot();
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;

  private:
    const std::shared_ptr<event_streams> streams_;
    const domain::uuid user_;
  };

  /// Throws an error with 429 above the user's limit, and busy() above the limit of all.
  std::shared_ptr<slot> open(const domain::uuid& user);

  std::size_t size() const;

private:
  mutable std::mutex mutex_;
  std::map<domain::uuid, std::size_t> by_user_;
  std::size_t total_ = 0;
};

} // namespace roost::http
