#pragma once

#include "service/support/child_process.hpp"
#include "temporary_folder.hpp"

#include <rapidjson/document.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// A headless browser (Debian's chromium-headless-shell) with one page, controlled by the DevTools protocol
/// over a pipe. Throws std::runtime_error on timeout and on errors of the browser.
class headless_browser {
public:
  static constexpr std::chrono::seconds timeout{60};

  headless_browser();
  ~headless_browser();
  headless_browser(const headless_browser&) = delete;
  headless_browser& operator=(const headless_browser&) = delete;

  /// Navigates to an address and waits until its page and scripts are loaded.
  void open(const std::string& url);

  /// Evaluates a JavaScript expression in the page and returns its value as JSON, empty for `undefined`.
  std::string evaluate(const std::string& expression);

  /// Waits until a JavaScript condition is true.
  void wait_until(const std::string& condition);

  /// Types a text into the focused element.
  void type(const std::string& text);

  /// Presses a key in the focused element.
  void press_enter() { press("Enter", 13, "\\r"); }
  void press_tab() { press("Tab", 9, ""); }

  /// Runs an action that opens another page, and waits until that page and its scripts are loaded.
  template <typename Action>
  void follow(Action action) {
    loaded_ = false;
    action();
    wait_until_loaded();
  }
  /// Clicks the element of a CSS selector, which opens another page.
  void click_through(const std::string& selector);

  /// Emulates a window size and the preference for dark or light colors.
  void emulate(int width, int height, bool dark);

  /// All requested addresses except `data:` ones.
  const std::vector<std::string>& requested() const { return requested_; }

  /// The console's entries: policy violations, missing resources, errors and messages of scripts.
  const std::vector<std::string>& console() const { return console_; }

private:
  using time_point = std::chrono::steady_clock::time_point;
  using message = rapidjson::Document;

  /// Two pipes; the browser has one end of each.
  struct pipes {
    pipes();
    ~pipes();
    pipes(const pipes&) = delete;
    pipes& operator=(const pipes&) = delete;
    int commands[2], events[2];
  };

  /// Calls a method of the protocol, with JSON parameters, and returns the whole response.
  message call(const std::string& method, const std::string& parameters = "{}");
  message receive(time_point deadline);
  void wait_until_loaded();
  void press(const std::string& key, int code, const std::string& text);
  void record(const message& event);

  tests::temporary_folder folder_;
  pipes pipes_;
  std::optional<child_process> process_;
  std::string session_, received_;
  int calls_ = 0;
  bool loaded_ = false;
  std::vector<std::string> requested_, console_;
};

} // namespace roost::testing
