#include "domain/text.hpp"
#include "http/management/management_access.hpp"
#include "http/management/session_responses.hpp"
#include "http/protocol/error.hpp"
#include "json/object.hpp"

namespace roost::http {

namespace {

using json::member;
using store::remembered_browser;

constexpr auto browser_object = json::object<remembered_browser>(
    "RememberedBrowser", member("id", &remembered_browser::id, "The browser's UUID"),
    member(
        "browser", [](const remembered_browser& of) { return domain::browser_name(of.browser); },
        "The browser and its system, as it describes itself", json::examples{R"(["Firefox on Windows"])"}),
    member("rememberedAt", &remembered_browser::created_at, "When the user chose to remember it, in UTC"),
    member("expiresAt", &remembered_browser::expires_at, "When it is forgotten, in UTC"));

using browser_list = std::vector<remembered_browser>;

constexpr auto browser_list_object = json::object<browser_list>(
    "RememberedBrowsers",
    json::list(
        "browsers",
        [](const browser_list& all, auto yield) {
          for (const auto& each : all) yield(each);
        },
        browser_object, "The browsers in which the user signs in without a code, the latest first"));

asio::awaitable<response> list_browsers(const management_api& api, request& req) {
  const auto browsers = co_await api.services.sessions->remembered_browsers(caller_of(req).user->id);
  co_return json(200, json::text_of(browser_list_object, browsers));
}

asio::awaitable<response> forget_browser(const management_api& api, request& req) {
  const auto user = caller_of(req).user->id;
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id || !co_await api.services.sessions->forget_browser(user, *id))
    throw not_found("There is no such browser");
  co_return message_response("The browser is forgotten");
}

const operation list_browsers_operation{.id = "listRememberedBrowsers",
                                        .summary = "The browsers in which the user signs in without a code",
                                        .responses = {{200, "All of them", "RememberedBrowsers"}}};
const operation forget_browser_operation{
    .id = "forgetBrowser",
    .summary = "Forgets a browser: its next sign-in requires a code. Its sessions continue",
    .responses = {{200, "The browser is forgotten", "Message"},
                  {.status = 404,
                   .description = "The user has no such browser",
                   .schema = "Error",
                   .message = "There is no such browser"}}};

} // namespace

std::vector<route> browser_routes(const management_services& services) {
  const management_api api{services};
  std::vector<route> routes{
      {"GET", "/auth/browsers", body_policy::none, management_checks(services, ""), with(api, list_browsers),
       &list_browsers_operation},
      {"DELETE", "/auth/browsers/{browserId}", body_policy::none, management_checks(services, ""),
       with(api, forget_browser), &forget_browser_operation},
  };
  respond_as_writer(services.lease, routes);
  return routes;
}

void add_browser_route_schemas(json::schemas& to) {
  to.add(browser_object);
  to.add(browser_list_object);
}

} // namespace roost::http
