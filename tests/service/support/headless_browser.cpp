#include "service/support/headless_browser.hpp"

#include "service/support/json_text.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace roost::testing {

namespace {

/// Not the wrapper script in /usr/bin: the browser would outlive a test that kills only the script.
constexpr const char* program = "/usr/lib/chromium/chromium-headless-shell";
/// The descriptors on which the browser expects its ends of the pipes.
constexpr int command_descriptor = 3, event_descriptor = 4;
constexpr std::chrono::seconds exit_timeout{5};

std::string json_text(const std::string& text) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return {buffer.GetString(), buffer.GetSize()};
}

const rapidjson::Value* at(const rapidjson::Document& message, const char* pointer) {
  return rapidjson::Pointer(pointer).Get(message);
}

void open_pipe(int (&ends)[2]) {
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
}

process_options browser_options(const std::string& folder, int commands, int events) {
  if (::access(program, X_OK) != 0)
    throw std::runtime_error(std::string{program} + " is missing: script/bootstrap --test installs it");
  return {.program = program,
          .arguments = {"--remote-debugging-pipe", "--user-data-dir=" + folder,
                        // Chromium's sandbox works neither for root nor in a container.
                        "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                        "--disable-background-networking", "--disable-component-update", "--disable-breakpad",
                        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"},
          .folder = folder,
          .environment = {{"HOME", folder}},
          .descriptors = {{command_descriptor, commands}, {event_descriptor, events}}};
}

} // namespace

headless_browser::pipes::pipes() {
  open_pipe(commands);
  open_pipe(events);
}

headless_browser::pipes::~pipes() {
  for (const int end : {commands[0], commands[1], events[0], events[1]})
    if (end >= 0) ::close(end);
}

headless_browser::headless_browser() {
  process_.emplace(browser_options(folder_.path().string(), pipes_.commands[0], pipes_.events[1]));
  for (int* const end : {&pipes_.commands[0], &pipes_.events[1]}) ::close(std::exchange(*end, -1));
  const auto page = call("Target.createTarget", R"({"url":"about:blank"})");
  const auto attached = call("Target.attachToTarget",
                             R"({"flatten":true,"targetId":)" + to_json(*at(page, "/result/targetId")) + "}");
  session_ = at(attached, "/result/sessionId")->GetString();
  for (const auto* domain : {"Network", "Log", "Runtime", "Page"}) call(std::string{domain} + ".enable");
}

headless_browser::~headless_browser() {
  ::close(std::exchange(pipes_.commands[1], -1)); // the browser exits when its command pipe is closed
  process_->wait_for_end(exit_timeout);
}

void headless_browser::open(const std::string& url) {
  loaded_ = false;
  const auto response = call("Page.navigate", R"({"url":)" + json_text(url) + "}");
  if (const auto* failure = at(response, "/result/errorText"))
    throw std::runtime_error(url + ": " + failure->GetString());
  wait_until_loaded();
}

void headless_browser::wait_until_loaded() {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!loaded_) record(receive(deadline));
}

void headless_browser::click_through(const std::string& selector) {
  follow([&] { evaluate("document.querySelector(" + json_text(selector) + ").click()"); });
}

void headless_browser::emulate(int width, int height, bool dark) {
  call("Emulation.setDeviceMetricsOverride", R"({"deviceScaleFactor":1,"mobile":false,"width":)" +
                                                 std::to_string(width) + R"(,"height":)" +
                                                 std::to_string(height) + "}");
  call("Emulation.setEmulatedMedia", R"({"features":[{"name":"prefers-color-scheme","value":")" +
                                         std::string(dark ? "dark" : "light") + R"("}]})");
}

std::string headless_browser::evaluate(const std::string& expression) {
  const auto response =
      call("Runtime.evaluate",
           R"({"returnByValue":true,"awaitPromise":true,"expression":)" + json_text(expression) + "}");
  if (const auto* failure = at(response, "/result/exceptionDetails"))
    throw std::runtime_error(expression + ": " + to_json(*failure));
  const auto* value = at(response, "/result/result/value");
  return value ? to_json(*value) : "";
}

void headless_browser::wait_until(const std::string& condition) {
  // The page polls the condition itself.
  evaluate("new Promise((done, fail) => {"
           "  const end = Date.now() + " +
           std::to_string(std::chrono::milliseconds(timeout).count() / 2) +
           ";"
           "  const look = () => {"
           "    if (" +
           condition +
           ") done();"
           "    else if (Date.now() > end) fail(new Error('timeout: ' + document.body.innerText));"
           "    else setTimeout(look, 10);"
           "  };"
           "  look();"
           "})");
}

void headless_browser::type(const std::string& text) {
  call("Input.insertText", R"({"text":)" + json_text(text) + "}");
}

void headless_browser::press(const std::string& key, int code, const std::string& text) {
  const auto event = [&](const std::string& type) {
    return R"({"type":")" + type + R"(","key":")" + key + R"(","code":")" + key +
           R"(","windowsVirtualKeyCode":)" + std::to_string(code) +
           (text.empty() || type == "keyUp" ? "" : R"(,"text":")" + text + '"') + "}";
  };
  call("Input.dispatchKeyEvent", event("keyDown"));
  call("Input.dispatchKeyEvent", event("keyUp"));
}

headless_browser::message headless_browser::call(const std::string& method, const std::string& parameters) {
  const auto number = ++calls_;
  auto request = R"({"id":)" + std::to_string(number) + R"(,"method":)" + json_text(method) +
                 R"(,"params":)" + parameters +
                 (session_.empty() ? "" : R"(,"sessionId":)" + json_text(session_)) + "}";
  request += '\0';
  if (::write(pipes_.commands[1], request.data(), request.size()) != static_cast<ssize_t>(request.size()))
    throw std::runtime_error("cannot write to the browser: " + process_->errors());
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    auto next = receive(deadline);
    if (const auto* id = at(next, "/id"); !id || id->GetInt() != number) {
      record(next);
      continue;
    }
    if (const auto* error = at(next, "/error")) throw std::runtime_error(method + ": " + to_json(*error));
    return next;
  }
}

headless_browser::message headless_browser::receive(time_point deadline) {
  using std::chrono::milliseconds;
  auto end = received_.find('\0');
  for (; end == std::string::npos; end = received_.find('\0')) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{pipes_.events[0], POLLIN, 0};
    char buffer[65536];
    ssize_t count = 0;
    if (left > milliseconds{0} && ::poll(&waiting, 1, static_cast<int>(left.count())) > 0)
      count = ::read(pipes_.events[0], buffer, sizeof buffer);
    if (count <= 0) throw std::runtime_error("no message from the browser: " + process_->errors());
    received_.append(buffer, static_cast<std::size_t>(count));
  }
  message parsed;
  parsed.Parse(received_.data(), end);
  received_.erase(0, end + 1);
  if (parsed.HasParseError()) throw std::runtime_error("the browser sent invalid JSON");
  return parsed;
}

void headless_browser::record(const message& event) {
  const std::string method = at(event, "/method") ? at(event, "/method")->GetString() : "";
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method == "Network.requestWillBeSent") {
    const std::string url = at(event, "/params/request/url")->GetString();
    if (!url.starts_with("data:")) requested_.push_back(url);
  }
  if (method == "Log.entryAdded" || method == "Runtime.exceptionThrown" ||
      method == "Runtime.consoleAPICalled")
    console_.push_back(to_json(*at(event, "/params")));
}

} // namespace roost::testing
