#pragma once

#include "service/support/child_process.hpp"
#include "temporary_folder.hpp"

#include <rapidjson/document.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// A browser without a window (Debian's chromium-headless-shell) and its one page, driven over the pipe of
/// its remote debugging protocol. What takes longer than `patience` throws std::runtime_error, as does
/// whatever the browser refuses.
class browser {
public:
  static constexpr std::chrono::seconds patience{60};

  browser();
  ~browser();
  browser(const browser&) = delete;
  browser& operator=(const browser&) = delete;

  /// Goes to an address and waits until its page and the scripts named in it are loaded.
  void open(const std::string& url);

  /// What a JavaScript expression comes to in the page, as JSON; `undefined` is empty.
  std::string evaluate(const std::string& expression);

  /// Waits until a JavaScript condition holds.
  void wait_until(const std::string& condition);

  /// Types a text where the cursor is.
  void type(const std::string& text);

  /// Presses the Enter key, or the Tab key, there.
  void press_enter() { press("Enter", 13, "\\r"); }
  void press_tab() { press("Tab", 9, ""); }

  /// Does what leads to another page, and waits until that and its scripts are loaded.
  template <typename Action>
  void follow(Action action) {
    loaded_ = false;
    action();
    wait_until_loaded();
  }
  /// Clicks the element that a CSS selector finds, which leads to another page.
  void click_through(const std::string& selector);

  /// Behaves like a window of that size, on a system with dark or light colours.
  void look_like(int width, int height, bool dark);

  /// Every address that was asked for, but for those that hold their data themselves.
  const std::vector<std::string>& requested() const { return requested_; }

  /// What the console shows: what the policy forbade, what was not found, scripts' errors and messages.
  const std::vector<std::string>& console() const { return console_; }

private:
  using deadline = std::chrono::steady_clock::time_point;
  using message = rapidjson::Document;

  /// One end of each pipe is the browser's.
  struct pipes {
    pipes();
    ~pipes();
    pipes(const pipes&) = delete;
    pipes& operator=(const pipes&) = delete;
    int commands[2], events[2];
  };

  /// Calls a method and gives the whole answer; `parameters` are JSON.
  message call(const std::string& method, const std::string& parameters = "{}");
  message receive(deadline until);
  void wait_until_loaded();
  void press(const std::string& key, int code, const std::string& text);
  void note(const message& event);

  tests::temporary_folder folder_;
  pipes pipes_;
  std::optional<child_process> process_;
  std::string session_, received_;
  int calls_ = 0;
  bool loaded_ = false;
  std::vector<std::string> requested_, console_;
};

} // namespace roost::testing
