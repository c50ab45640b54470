#include "http/protocol/router.hpp"

#include <gtest/gtest.h>

namespace roost::http::router_test {
const immediate_handler nothing = [](request&) { return empty(204); };

struct match {
  std::string pattern;
  std::vector<std::string> parameters;
  bool operator==(const match&) const = default;
};

match find(const router& routes, std::string_view method, std::string_view path) {
  std::vector<std::string> parameters;
  const auto index = routes.find(method, path, parameters);
  if (index == router::npos) return {"", {}};
  return {routes.entries()[index].pattern, parameters};
}

router listings() {
  router routes;
  routes.mount("/p", {{"GET", "/listings", body_policy::none, {}, nothing},
                      {"GET", "/listings/{id}", body_policy::none, {}, nothing},
                      {"GET", "/listings/count", body_policy::none, {}, nothing},
                      {"PUT", "/listings/{id}", body_policy::none, {}, nothing},
                      {"GET", "/{landlord}/listings/{id}", body_policy::none, {}, nothing},
                      {"HEAD", "/own", body_policy::none, {}, nothing},
                      {"GET", "/own", body_policy::none, {}, nothing}});
  return routes;
}

TEST(Router, FindsPatternsAndTheirParameters) {
  const router routes = listings();
  EXPECT_EQ(find(routes, "GET", "/p/listings"), (match{"/p/listings", {}}));
  EXPECT_EQ(find(routes, "GET", "/p/listings/7"), (match{"/p/listings/{id}", {"7"}}));
  EXPECT_EQ(find(routes, "GET", "/p/k/listings/7"), (match{"/p/{landlord}/listings/{id}", {"k", "7"}}));
}

TEST(Router, PrefersLiteralSegmentsAndBacktracks) {
  const router routes = listings();
  EXPECT_EQ(find(routes, "GET", "/p/listings/count").pattern, "/p/listings/count");
  EXPECT_EQ(find(routes, "PUT", "/p/listings/count").pattern, "/p/listings/{id}");
  EXPECT_EQ(find(routes, "GET", "/p/listings/listings/7"),
            (match{"/p/{landlord}/listings/{id}", {"listings", "7"}}));
}

TEST(Router, ComparesExactly) {
  const router routes = listings();
  for (const std::string path :
       {"/p/listings/", "/p//listings", "/P/listings", "/p/Listings", "/p/./listings", "/p", "/", "",
        "p/listings", "/p/listings//", "/p/listings/7/"})
    EXPECT_EQ(find(routes, "GET", path).pattern, "") << path;
  EXPECT_EQ(find(routes, "get", "/p/listings").pattern, "");
  EXPECT_EQ(find(routes, "POST", "/p/listings").pattern, "");
}

TEST(Router, ComparesAfterDecoding) {
  const router routes = listings();
  EXPECT_EQ(find(routes, "GET", "/p/%6cistings/%E2%82%AC").parameters,
            std::vector<std::string>{"\xe2\x82\xac"});
  EXPECT_EQ(find(routes, "GET", "/p/listings/a%2Fb").parameters, std::vector<std::string>{"a/b"});
  EXPECT_EQ(find(routes, "GET", "/p/listings/%20").parameters, std::vector<std::string>{" "});
  EXPECT_EQ(find(routes, "GET", "/p/listings/%00").parameters,
            std::vector<std::string>(1, std::string(1, '\0')));
  EXPECT_EQ(find(routes, "GET", "/p%2Flistings").pattern, "");
}

TEST(Router, RefusesMalformedEncoding) {
  const router routes = listings();
  std::vector<std::string> parameters;
  for (const std::string path : {"/%", "/p/%f", "/p/listings/%zz", "/p/%ff", "/p/%C0%AF", "/p/%ED%A0%80"})
    EXPECT_THROW(routes.find("GET", path, parameters), error) << path;
}

TEST(Router, UsesGetForHeadUnlessHeadHasItsOwnRoute) {
  const router routes = listings();
  EXPECT_EQ(find(routes, "HEAD", "/p/listings").pattern, "/p/listings");
  std::vector<std::string> parameters;
  EXPECT_EQ(routes.entries()[routes.find("HEAD", "/p/own", parameters)].definition.method, "HEAD");
}

TEST(Router, HandlesPathsWithManySegments) {
  const router routes = listings();
  std::string path;
  for (int i = 0; i < 4000; ++i) path += "/p";
  EXPECT_EQ(find(routes, "GET", path).pattern, "");
}

TEST(Router, GroupsRoutesByPrefix) {
  router routes;
  routes.mount("/p", {{"GET", "/a", body_policy::none, {}, nothing}});
  routes.mount("/q", {{"GET", "/a", body_policy::none, {}, nothing}});
  routes.mount("/p", {{"GET", "/b", body_policy::none, {}, nothing}});
  EXPECT_EQ(routes.prefixes(), 2U);
  const auto& entries = routes.entries();
  EXPECT_EQ(entries[0].prefix, entries[2].prefix);
  EXPECT_NE(entries[0].prefix, entries[1].prefix);
}

TEST(Router, RefusesInvalidPatterns) {
  router routes = listings();
  EXPECT_THROW(routes.mount("/p", {{"GET", "/listings", body_policy::none, {}, nothing}}),
               std::invalid_argument);
  EXPECT_THROW(routes.mount("/p", {{"GET", "/listings/{other}", body_policy::none, {}, nothing}}),
               std::invalid_argument);
  EXPECT_THROW(routes.mount("", {{"GET", "listings", body_policy::none, {}, nothing}}),
               std::invalid_argument);
  EXPECT_THROW(routes.mount("", {{"GET", "/a{b}", body_policy::none, {}, nothing}}), std::invalid_argument);
  EXPECT_THROW(routes.mount("", {{"", "/a", body_policy::none, {}, nothing}}), std::invalid_argument);
}

} // namespace roost::http::router_test
