#pragma once

#include "store/database/session.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

/// Empty stores with the schema, deleted when the test ends.
namespace roost::testing {

enum class store_kind { sqlite, postgresql };

/// Returns the name used in parameterized tests.
std::string to_string(store_kind kind);

class test_store {
public:
  /// Creates an SQLite store in its own folder, or a database on the server named by the environment variable
  /// ROOST_TEST_POSTGRESQL (`postgresql://superuser@host:port/`). Throws std::runtime_error without it.
  explicit test_store(store_kind kind, bool with_schema = true);
  /// Creates a database with the schema on a PostgreSQL server that the test owns
  /// (`postgresql://superuser@host:port/`). It is deleted with the server.
  explicit test_store(const std::string& server);
  ~test_store();
  test_store(const test_store&) = delete;
  test_store& operator=(const test_store&) = delete;

  store_kind kind() const { return kind_; }
  const std::string& url() const { return url_; }
  store::session open() const { return store::session(url_); }

  /// PostgreSQL: terminates all other connections to this store, as a stopping server does.
  void cut_connections() const;

private:
  store_kind kind_;
  bool ends_with_server_ = false;
  std::string url_, database_;
  std::filesystem::path folder_;
};

/// The fixture of tests that run on each kind of store: `TEST_P(SuiteName, …)` after
/// `ROOST_FOR_EACH_STORE(SuiteName)`, or after a fixture class and `ROOST_ON_EACH_STORE(SuiteName)`.
class on_each_store : public ::testing::TestWithParam<store_kind> {
protected:
  test_store& store() {
    if (!store_) store_ = std::make_unique<test_store>(GetParam());
    return *store_;
  }

  /// Returns the session of the test.
  store::session& session() {
    if (!session_) session_ = std::make_unique<store::session>(store().open());
    return *session_;
  }

private:
  std::unique_ptr<test_store> store_;
  std::unique_ptr<store::session> session_;
};

} // namespace roost::testing

#define ROOST_ON_STORES(where, suite, ...)                                                                   \
  INSTANTIATE_TEST_SUITE_P(where, suite, ::testing::Values(__VA_ARGS__),                                     \
                           [](const auto& info) { return ::roost::testing::to_string(info.param); })

/// For suites with their own fixture class.
#define ROOST_ON_EACH_STORE(suite)                                                                           \
  ROOST_ON_STORES(OnEachStore, suite, ::roost::testing::store_kind::sqlite,                                  \
                  ::roost::testing::store_kind::postgresql)
/// For suites that only apply to PostgreSQL.
#define ROOST_ON_POSTGRESQL(suite)                                                                           \
  ROOST_ON_STORES(OnPostgresql, suite, ::roost::testing::store_kind::postgresql)

/// For suites with their own fixture class that the store cannot influence: formats, pages, documents.
#define ROOST_ON_SQLITE(suite) ROOST_ON_STORES(OnSqlite, suite, ::roost::testing::store_kind::sqlite)

#define ROOST_FOR_EACH_STORE(suite)                                                                          \
  class suite : public ::roost::testing::on_each_store {}; /* NOLINT(bugprone-macro-parentheses) */          \
  ROOST_ON_EACH_STORE(suite)

/// Defines a suite that the store cannot influence.
#define ROOST_FOR_SQLITE(suite)                                                                              \
  class suite : public ::roost::testing::on_each_store {}; /* NOLINT(bugprone-macro-parentheses) */          \
  ROOST_ON_SQLITE(suite)
