#pragma once

#include "domain/uuid.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace roost::http {

/// Counts the open event streams, of which a user and all users together may have a limited number.
/// Thread-safe.
class event_streams : public std::enable_shared_from_this<event_streams> {
public:
  static constexpr std::size_t max_of_user = 20, max_of_all = 2'000;

  /// An open stream, counted during its lifetime.
  class place {
  public:
    place(std::shared_ptr<event_streams> streams, const domain::uuid& user);
    ~place();
    place(const place&) = delete;
    place& operator=(const place&) = delete;

  private:
    const std::shared_ptr<event_streams> streams_;
    const domain::uuid user_;
  };

  /// Throws an error with 429 above the user's limit, and busy() above the limit of all.
  std::shared_ptr<place> open(const domain::uuid& user);

  std::size_t size() const;

private:
  mutable std::mutex mutex_;
  std::map<domain::uuid, std::size_t> by_user_;
  std::size_t total_ = 0;
};

} // namespace roost::http
