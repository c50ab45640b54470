#include "support/store.hpp"

#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"

#include <cstdlib>
#include <functional>
#include <libpq-fe.h>
#include <random>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace roost::embedded {
extern const std::string_view postgresql_0001_initial;
} // namespace roost::embedded

namespace roost::testing {

namespace {

std::string server_url() {
  const char* url = std::getenv("ROOST_TEST_POSTGRESQL");
  if (!url || !*url)
    throw std::runtime_error("ROOST_TEST_POSTGRESQL names no server: run script/test, or set it to "
                             "postgresql://superuser@host:port/");
  std::string text = url;
  if (!text.ends_with('/')) text += '/';
  return text;
}

/// An administrative connection that creates and drops databases.
class administration {
public:
  explicit administration(const std::string& server)
      : connection_(PQconnectdb((server + "postgres?connect_timeout=5").c_str()), &PQfinish) {}

  /// Returns the first value of the result, if any.
  std::string run(const std::string& command) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection_.get(), command.c_str()),
                                                               &PQclear);
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(std::string("the test's PostgreSQL server: ") +
                               PQerrorMessage(connection_.get()));
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
  }

  /// Uses WAL_LOG, which is faster for a small database: FILE_COPY takes a checkpoint.
  void create(const std::string& database, const std::string& source) {
    run("create database " + database + " template " + source + " strategy wal_log");
  }

private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

/// The name includes a hash of the schema, so that a server or a folder kept between runs never provides an
/// old one.
std::string migrated_template() {
  std::string schema;
  for (const auto& step : store::migrations) schema.append(*step.postgresql).append(*step.sqlite);
  return "roost_test_template_" + std::to_string(std::hash<std::string>{}(schema));
}

/// Creates the template database with the schema, which the first test of the server needs and all copy.
void make_template(administration& server) {
  // Tests run in separate processes. The lock ends with the connection.
  server.run("select pg_advisory_lock(726673740)");
  const std::string name = migrated_template();
  if (!server.run("select 1 from pg_database where datname = '" + name + "'").empty()) return;
  server.create(name + "_new", "template0");
  {
    store::session session(server_url() + name + "_new");
    store::migrate(session);
  }
  server.run("alter database " + name + "_new rename to " + name);
}

std::string unique_name() {
  std::random_device random;
  return "roost_test_" + std::to_string(getpid()) + '_' + std::to_string(random()) + std::to_string(random());
}

/// Creates a file with the schema: a copy of the template file, which the first test creates. All migrations
/// take a tenth of a second.
void make_file(const std::filesystem::path& file) {
  const auto source = std::filesystem::temp_directory_path() / (migrated_template() + ".db");
  std::error_code failed;
  if (std::filesystem::copy_file(source, file, failed)) return;
  {
    store::session session("sqlite3://" + file.string());
    store::migrate(session);
    session.internals().script("checkpoint", "pragma wal_checkpoint(truncate)"); // only the file is copied
  }
  const auto copy = source.string() + '.' + unique_name();
  std::filesystem::copy_file(file, copy);
  std::filesystem::rename(copy, source, failed); // atomic: tests run in separate processes
  if (failed) std::filesystem::remove(copy);
}

} // namespace

std::string to_string(store_kind kind) { return kind == store_kind::sqlite ? "Sqlite" : "Postgresql"; }

test_store::test_store(store_kind kind, bool with_schema) : kind_(kind), database_(unique_name()) {
  if (kind_ == store_kind::sqlite) {
    folder_ = std::filesystem::temp_directory_path() / database_;
    std::filesystem::create_directories(folder_);
    const auto file = folder_ / "roost.db";
    url_ = "sqlite3://" + file.string();
    if (with_schema) make_file(file);
  } else {
    administration server(server_url());
    if (with_schema) make_template(server);
    server.create(database_, with_schema ? migrated_template() : "template0");
    url_ = server_url() + database_;
  }
}

test_store::test_store(const std::string& server)
    : kind_(store_kind::postgresql), ends_with_server_(true), database_(unique_name()) {
  url_ = server + database_;
  administration(server).create(database_, "template0");
  auto session = open();
  store::migrate(session);
}

test_store::~test_store() {
  if (ends_with_server_) return;
  std::error_code ignored;
  if (kind_ == store_kind::sqlite) {
    std::filesystem::remove_all(folder_, ignored);
    return;
  }
  try {
    administration(server_url()).run("drop database if exists " + database_ + " with (force)");
  } catch (const std::runtime_error& fault) {
    ADD_FAILURE() << fault.what();
  }
}

void test_store::cut_connections() const {
  administration(server_url())
      .run("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + database_ + "'");
}

} // namespace roost::testing
