#include "http/office/event_streams.hpp"

#include "http/protocol/error.hpp"

#include <utility>

namespace roost::http {

namespace {

constexpr std::chrono::seconds try_again_after{60};

} // namespace

event_streams::slot::slot(std::shared_ptr<event_streams> streams, const domain::uuid& user)
    : streams_(std::move(streams)), user_(user) {}

event_streams::slot::~slot() {
  const std::lock_guard lock(streams_->mutex_);
  --streams_->total_;
  const auto of_user = streams_->by_user_.find(user_);
  if (--of_user->second == 0) streams_->by_user_.erase(of_user);
}

std::shared_ptr<event_streams::slot> event_streams::open(const domain::uuid& user) {
  const std::lock_guard lock(mutex_);
  if (total_ >= max_of_all) throw busy();
  auto& of_user = by_user_[user];
  if (of_user >= max_of_user) throw too_many_requests(try_again_after);
  ++of_user;
  ++total_;
  return std::make_shared<slot>(shared_from_this(), user);
}

std::size_t event_streams::size() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

} // namespace roost::http
