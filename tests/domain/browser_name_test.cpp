#include "domain/browser_name.hpp"

#include <gtest/gtest.h>

namespace roost::domain::browser_name_test {

TEST(BrowserName, TellsBrowserAndSystem) {
  EXPECT_EQ(browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"),
            "Firefox on Windows");
  EXPECT_EQ(browser_name("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "Chrome/126.0.0.0 Safari/537.36"),
            "Chrome on Linux");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0"),
            "Edge on Windows");
  EXPECT_EQ(
      browser_name("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                   "Version/17.5 Safari/605.1.15"),
      "Safari on macOS");
  EXPECT_EQ(
      browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
                   "like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1"),
      "Chrome on iPhone");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36"),
            "Samsung Internet on Android");
}

TEST(BrowserName, IsTheProductOfAProgramThatIsNoBrowser) {
  EXPECT_EQ(browser_name("curl/7.88.1"), "curl");
  EXPECT_EQ(browser_name("python-requests/2.31 (cron)"), "python-requests");
}

TEST(BrowserName, ShowsNothingThatCouldMislead) {
  for (const auto* text : {"", "/1", "\x1b[31mred", "Ünïcode/1"})
    EXPECT_EQ(browser_name(text), "Unknown browser");
  EXPECT_EQ(browser_name(std::string(41, 'x')), "Unknown browser");
  EXPECT_EQ(browser_name(std::string(40, 'x')), std::string(40, 'x'));
}

} // namespace roost::domain::browser_name_test
