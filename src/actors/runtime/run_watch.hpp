#pragma once

#include <chrono>
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

/// A thread that looks at what the threads do that must not block, and has the log tell of what takes longer
/// than meter::slow_run_limit(), with the stack. It looks twice in that time; while no run counts as slow it
/// sleeps.
class run_watch {
public:
  /// What else a thread does beside actors' runs: `ask` has it call `back` when it gets to it.
  struct loop {
    std::string thread;
    std::function<void(std::function<void()> back)> ask;
  };

  explicit run_watch(std::vector<loop> loops);
  ~run_watch();
  run_watch(const run_watch&) = delete;
  run_watch& operator=(const run_watch&) = delete;

  /// meter::slow_run_limit() has changed.
  void changed();

private:
  struct seen_run;
  struct probe;

  void watch();
  void look();

  const std::vector<loop> loops_;
  std::map<const run_thread*, seen_run> runs_;
  std::map<std::string, std::shared_ptr<probe>> probes_;
  std::mutex mutex_; // guards the next two
  std::condition_variable woken_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace roost::actors
