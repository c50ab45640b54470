#include "actors/runtime/ask.hpp"
#include "actors/runtime/clock.hpp"
#include "group_decider.hpp"
#include "lab_service.hpp"
#include "strategies.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <condition_variable>

namespace roost::contention {

namespace {

namespace asio = boost::asio;

/// The clients are coroutines on the I/O thread, which ask the actors like the service's connections.
class actor_strategy final : public strategy {
public:
  actor_strategy(lab_service& service, depth level)
      : service_(service), decider_(spawn_group_decider(service, level)), level_(level) {}

  ~actor_strategy() override {
    caf::anon_send_exit(decider_, caf::exit_reason::user_shutdown);
    caf::scoped_actor self{service_.runtime().system()};
    self->wait_for(decider_);
  }

  void start(request_schedule& schedule, std::vector<std::unique_ptr<client_record>>& clients) override {
    running_ = clients.size();
    auto& io = service_.runtime().io_contexts().front().get();
    for (std::uint32_t i = 0; i < clients.size(); ++i)
      asio::co_spawn(io, run_client(schedule, *clients[i], i), [this, &schedule](std::exception_ptr error) {
        if (error) schedule.fail(error);
        std::lock_guard lock{mutex_};
        if (--running_ == 0) all_finished_.notify_one();
      });
  }

  void join() override {
    std::unique_lock lock{mutex_};
    all_finished_.wait(lock, [this] { return running_ == 0; });
  }

private:
  asio::awaitable<void> run_client(request_schedule& schedule, client_record& record, std::uint32_t number) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    double used = 0;
    for (auto resumed = clock::now();; resumed = clock::now()) {
      const auto scheduled = schedule.next();
      if (!scheduled) co_return;
      if (scheduled->due > clock::now()) {
        timer.expires_at(scheduled->due);
        co_await timer.async_wait(asio::use_awaitable);
        resumed = clock::now();
      }
      decide_stay request{scheduled->request, {}};
      if (level_ == depth::whole)
        request.booking = booking_request_for(scheduled->request, actors::system_now());
      const auto invoked = clock::now();
      used += std::chrono::duration<double>(invoked - resumed).count();
      auto response = co_await actors::ask(decider_, std::move(request));
      const auto received = clock::now();
      response.result.time = {response.started - invoked, response.decided - response.started,
                              received - response.decided};
      record.add(schedule, *scheduled, invoked, number, response.result);
      used += std::chrono::duration<double>(clock::now() - received).count();
      record.cpu_seconds.store(used, std::memory_order_relaxed);
    }
  }

  lab_service& service_;
  group_decider decider_;
  const depth level_;
  std::mutex mutex_;
  std::condition_variable all_finished_;
  std::size_t running_ = 0;
};

} // namespace

std::unique_ptr<strategy> make_actor_strategy(lab_service& service, depth level) {
  return std::make_unique<actor_strategy>(service, level);
}

} // namespace roost::contention
