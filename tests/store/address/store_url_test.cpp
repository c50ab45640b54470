#include "store/address/store_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::store::store_url_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const std::string& url) { return store_url_error(url).value_or(""); }

TEST(StoreUrl, IsAFileOrAUrlThatLibpqParses) {
  for (const auto* url :
       {"sqlite3://var/roost.db", "sqlite3:///srv/a@b.db", "postgresql://host", "postgresql:///roost",
        "postgresql://roost@host:5432/roost", "postgresql://roost:a%40%3A%2F%3F%23%25b@host/roost",
        "postgresql://roost@[::1]:65535/roost", "postgresql://one:1,two,[::1]:3/roost",
        "postgresql://roost@/roost?host=/run/postgresql", "postgresql:///roost?user=me&password=p@ss",
        "postgresql://host/roost?application_name=a@b", "postgresql://host/a%40b",
        "postgresql://host:/roost"})
    EXPECT_EQ(error_of(url), "") << url;
}

/// libpq accepts both without encoding.
TEST(StoreUrl, MayContainAPasswordWithAColonOrAHash) {
  EXPECT_EQ(error_of("postgresql://roost:a:b#c@host:5432/roost"), "");
}

TEST(StoreUrl, IsRejectedWithAnUnencodedPasswordWithoutRepeatingIt) {
  for (const std::string password : {"S3CR@ET", "S3CR/ET", "S3CR?ET", "S3CR%ET", "S3CR%00ET", "S3CR/E@T",
                                     "S3CR@E/T", "S3CR?E@T", "12/S3CR", "@S3CR", "S3CR?user=ET"}) {
    const auto error = error_of("postgresql://roost:" + password + "@127.0.0.1:5432/roost");
    EXPECT_THAT(error, AllOf(HasSubstr("is not a store: "), HasSubstr("percent-encoded"),
                             Not(HasSubstr("S3CR")), Not(HasSubstr("ET"))))
        << password;
  }
}

TEST(StoreUrl, IsRejectedWithoutAHost) {
  for (const auto* url : {"postgresql://:5432/roost", "postgresql://roost@/roost", "postgresql://?host=",
                          "postgresql://roost@/roost?host=", "postgresql://one,,two/roost"})
    EXPECT_THAT(error_of(url), HasSubstr("is not a store: its host is empty")) << url;
  for (const auto* url : {"postgresql://[]:5432/roost", "postgresql://roost:S3CR3T@[]:5432/roost",
                          "postgresql://roost:S3CR3T@[::1:5432/roost"})
    EXPECT_THAT(error_of(url), AllOf(HasSubstr("library cannot read it"), Not(HasSubstr("S3CR3T")))) << url;
}

TEST(StoreUrl, NeedsAValidPort) {
  for (const auto* port : {"1", "65535", "1,2"})
    EXPECT_EQ(error_of("postgresql://host,host/roost?port=" + std::string(port)), "") << port;
  for (const auto* port : {"0", "65536", "99999", "-1", "5432x", "S3CR3T"})
    for (const auto* prefix : {"postgresql://host:", "postgresql:///roost?host=host&port="})
      EXPECT_THAT(error_of(prefix + std::string(port)),
                  AllOf(HasSubstr("its port is not a number from 1 to 65535"), Not(HasSubstr("S3CR3T"))))
          << prefix << port;
}

TEST(StoreUrl, HasOnePortOrOneForEachHost) {
  for (const auto* url :
       {"postgresql://host,host/roost?port=1", "postgresql://a:1,b/roost", "postgresql://a,b/roost",
        "postgresql:///roost?hostaddr=127.0.0.1,127.0.0.2&host=a,b&port=1,2"})
    EXPECT_EQ(error_of(url), "") << url;
  for (const auto* url : {"postgresql://host,host/roost?port=1,2,3", "postgresql://host/roost?port=1,2"})
    EXPECT_THAT(error_of(url), HasSubstr("it has another number of ports than of hosts")) << url;
}

TEST(StoreUrl, MayHaveServerOptions) {
  EXPECT_EQ(postgresql_options("postgresql://host/roost?options=-csearch_path%3Da&sslmode=require"),
            "-csearch_path=a");
  EXPECT_EQ(postgresql_options("postgresql://host/roost"), "");
}

TEST(StoreUrl, IsRejectedWithAnUnknownParameter) {
  EXPECT_THAT(error_of("postgresql://host/roost?colour=S3CR3T"),
              AllOf(HasSubstr("library cannot read it"), Not(HasSubstr("S3CR3T"))));
}

TEST(StoreUrl, MayHaveTheShortScheme) {
  EXPECT_EQ(error_of("postgres://roost:secret@host:5432/roost?sslmode=verify-full"), "");
  EXPECT_THAT(error_of("postgres://roost:S3CR@ET@host/roost"),
              AllOf(HasSubstr("is not a store: "), Not(HasSubstr("S3CR"))));
  EXPECT_TRUE(is_postgresql_url("postgres://host/roost"));
  EXPECT_TRUE(is_postgresql_url("postgresql://host/roost"));
  EXPECT_FALSE(is_postgresql_url("sqlite3://postgres://host/roost"));
}

TEST(StoreUrl, NeedsParametersThatCanWork) {
  EXPECT_EQ(error_of("postgresql://a,b/roost?target_session_attrs=read-write&sslmode=require"), "");
  EXPECT_THAT(error_of("postgresql://host/roost?sslmode=on"), HasSubstr("its sslmode is not"));
  for (const auto* attributes : {"read-only", "standby", "prefer-standby", "master"})
    EXPECT_THAT(error_of("postgresql://a,b/roost?target_session_attrs=" + std::string(attributes)),
                HasSubstr("its target_session_attrs does not"))
        << attributes;
}

TEST(StoreUrl, IsRejectedForOtherDatabases) {
  for (const auto* url : {"", "var/roost.db", "sqlite3://", "postgresql://", "mysql://host/roost",
                          "sqlite3://a\"b", "postgres://", "postgre://host/roost"})
    EXPECT_THAT(error_of(url), HasSubstr("is not a store; write for example \"sqlite3://")) << url;
}

} // namespace roost::store::store_url_test
