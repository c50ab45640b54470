#include "client_threads.hpp"

#include "processor.hpp"

namespace roost::contention {

namespace {

void run_client(orders& from, client_record& record, blocking_client& by, std::uint32_t number) {
  try {
    while (const auto asked = from.next()) {
      std::this_thread::sleep_until(asked->due);
      const auto invoked = clock::now();
      const auto made = by.decide(asked->wanted, from.patience());
      record.add(from, *asked, invoked, number, made);
      record.used.store(time_of_thread(), std::memory_order_relaxed);
    }
  } catch (...) {
    from.fail(std::current_exception());
  }
}

} // namespace

void threaded_strategy::start(orders& from, std::vector<std::unique_ptr<client_record>>& clients) {
  for (std::uint32_t i = 0; i < clients.size(); ++i)
    threads_.emplace_back([this, &from, &record = *clients[i], i] {
      try {
        const auto by = connect();
        run_client(from, record, *by, i);
      } catch (...) {
        from.fail(std::current_exception());
      }
    });
}

void threaded_strategy::join() {
  for (auto& each : threads_) each.join();
  threads_.clear();
}

} // namespace roost::contention
