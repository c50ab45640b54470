#pragma once

#include <caf/response_promise.hpp>
#include <caf/typed_response_promise.hpp>
#include <caf/unit.hpp>

#include <utility>
#include <vector>

namespace roost::actors {

/// The response to run_to_end.
struct run_ended {};

/// Those who wait until the queue's run ends, or until the queue stops.
class queue_callers {
public:
  template <typename Self>
  caf::typed_response_promise<run_ended> await_run(Self* self) {
    return running_.emplace_back(self->template make_response_promise<run_ended>());
  }

  template <typename Self>
  caf::typed_response_promise<void> await_stop(Self* self) {
    return stopping_.emplace_back(self->template make_response_promise<void>());
  }

  void report_run_ended() {
    for (auto& promise : std::exchange(running_, {})) promise.deliver(run_ended{});
  }

  void report_end() {
    report_run_ended();
    for (auto& promise : std::exchange(stopping_, {}))
      static_cast<caf::response_promise&>(promise).deliver(caf::unit);
  }

private:
  std::vector<caf::typed_response_promise<run_ended>> running_;
  std::vector<caf::typed_response_promise<void>> stopping_;
};

} // namespace roost::actors
