#include "service/public_module.hpp"

#include "log/log.hpp"
#include "service/conversions.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>

namespace roost {

namespace {

http::router routes_of(const std::vector<std::unique_ptr<module>>& features) {
  http::router all;
  for (const auto& each : features) each->mount(all);
  return all;
}

} // namespace

public_module::public_module(service_context& base, const std::vector<std::unique_ptr<module>>& features)
    : base_(base) {
  listener_.emplace(to_public_listener(base.settings), routes_of(features), base.registry,
                    base.runtime->io_contexts());
  port_ = listener_->port();
}

bool public_module::finish(boost::asio::awaitable<bool> ending) {
  auto& io = base_.runtime->io_contexts().front().get();
  return boost::asio::co_spawn(io, std::move(ending), boost::asio::use_future).get();
}

void public_module::finish_writing() {
  const auto timeout = base_.settings.server.drain_timeout;
  drained_by_ = clock::now() + timeout;
  finish(listener_->finish_writes(timeout));
}

void public_module::stop() {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(drained_by_ - clock::now());
  if (!finish(listener_->drain(std::max(left, std::chrono::milliseconds::zero()))))
    log::warn("drain_incomplete");
  listener_.reset();
}

} // namespace roost
