#include "service/support/mixed_load.hpp"

#include <chrono>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto response_timeout = 15s;
constexpr auto pause = 2ms;

} // namespace

class mixed_load::client {
public:
  client(mixed_load& load, unsigned number) : load_(load), requests_(load.settings_, number) {}

  void run() {
    while (!load_.stopped_) {
      if (const std::uint16_t port = load_.port_) send(port, requests_.next());
      std::this_thread::sleep_for(pause);
    }
  }

private:
  /// Sends an event and records it, unless the connection is refused.
  void send(std::uint16_t port, client_event event) {
    try {
      raw_client connection(port);
      const auto [method, path, body, fields] = requests_.to_call(event);
      connection.send(to_request(method, path, fields, body));
      event.response = connection.receive(false, response_timeout);
    } catch (const std::runtime_error&) { // connection refused
      return;
    }
    if (event.succeeded()) ++load_.succeeded_;
    const std::lock_guard lock(load_.mutex_);
    load_.events_.push_back(std::move(event));
  }

  mixed_load& load_;
  mixed_client requests_;
};

mixed_load::mixed_load(mixed_settings settings) : settings_(std::move(settings)) {
  for (unsigned i = 0; i < settings_.clients; ++i)
    threads_.emplace_back([this, i] { client(*this, i).run(); });
}

mixed_load::~mixed_load() { finish(); }

std::vector<client_event> mixed_load::finish() {
  stopped_ = true;
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  return events_;
}

} // namespace roost::testing
