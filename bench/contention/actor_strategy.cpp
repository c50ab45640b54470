#include "actor_strategy.hpp"

#include "actors/runtime/ask.hpp"
#include "actors/runtime/clock.hpp"
#include "group_decider.hpp"
#include "requests.hpp"

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

/// Its clients are coroutines of the I/O thread that ask as the service's connections do.
class actor_strategy final : public strategy {
public:
  actor_strategy(service_world& world, depth how_much)
      : world_(world), decider_(spawn_group_decider(world, how_much)), depth_(how_much) {}

  ~actor_strategy() override {
    caf::anon_send_exit(decider_, caf::exit_reason::user_shutdown);
    caf::scoped_actor self{world_.runtime().system()};
    self->wait_for(decider_);
  }

  void start(orders& from, std::vector<std::unique_ptr<client_record>>& clients) override {
    running_ = clients.size();
    auto& io = world_.runtime().io_contexts().front().get();
    for (std::uint32_t i = 0; i < clients.size(); ++i)
      asio::co_spawn(io, run_client(from, *clients[i], i), [this, &from](std::exception_ptr failed) {
        if (failed) from.fail(failed);
        std::lock_guard lock{mutex_};
        if (--running_ == 0) over_.notify_one();
      });
  }

  void join() override {
    std::unique_lock lock{mutex_};
    over_.wait(lock, [this] { return running_ == 0; });
  }

private:
  asio::awaitable<void> run_client(orders& from, client_record& record, std::uint32_t number) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    double used = 0;
    for (auto resumed = clock::now();; resumed = clock::now()) {
      const auto asked = from.next();
      if (!asked) co_return;
      if (asked->due > clock::now()) {
        timer.expires_at(asked->due);
        co_await timer.async_wait(asio::use_awaitable);
        resumed = clock::now();
      }
      decide_stay wanted{asked->wanted, {}};
      if (depth_ == depth::whole) wanted.request = request_of(asked->wanted, actors::system_now());
      const auto invoked = clock::now();
      used += std::chrono::duration<double>(invoked - resumed).count();
      auto answer = co_await actors::ask(decider_, std::move(wanted));
      const auto told = clock::now();
      answer.made.time = {answer.begun - invoked, answer.decided - answer.begun, told - answer.decided};
      record.add(from, *asked, invoked, number, answer.made);
      used += std::chrono::duration<double>(clock::now() - told).count();
      record.used.store(used, std::memory_order_relaxed);
    }
  }

  service_world& world_;
  group_decider decider_;
  const depth depth_;
  std::mutex mutex_;
  std::condition_variable over_;
  std::size_t running_ = 0;
};

} // namespace

std::unique_ptr<strategy> make_actor_strategy(service_world& world, depth how_much) {
  return std::make_unique<actor_strategy>(world, how_much);
}

} // namespace roost::contention
