#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace roost::actors {

struct run_thread;

/// A thread that watches threads which must not block, and logs what takes longer than
/// meter::slow_run_limit(), with its stack. Polls twice per limit; sleeps while detection is disabled.
class run_watch {
public:
  /// An event loop that also runs other handlers. `probe` makes the loop call `done`.
  struct loop {
    std::string thread;
    std::function<void(std::function<void()> done)> probe;
  };

  explicit run_watch(std::vector<loop> loops);
  ~run_watch();
  run_watch(const run_watch&) = delete;
  run_watch& operator=(const run_watch&) = delete;

  /// To be called when meter::slow_run_limit() has changed.
  void limit_changed();

private:
  struct seen_run;
  struct loop_probe;

  void watch();
  void poll();

  const std::vector<loop> loops_;
  std::map<const run_thread*, seen_run> runs_;
  std::map<std::string, std::shared_ptr<loop_probe>> probes_;
  std::mutex mutex_; // guards the next two
  std::condition_variable wake_;
  bool stopped_ = false;
  std::thread thread_;
};

} // namespace roost::actors
