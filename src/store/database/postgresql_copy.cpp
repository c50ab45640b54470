#include "store/database/postgresql_copy.hpp"

#include "store/database/error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

namespace roost::store {

namespace {

using result_pointer = std::unique_ptr<PGresult, decltype(&PQclear)>;

result_pointer next_result(PGconn* of) { return {PQgetResult(of), &PQclear}; }

[[noreturn]] void raise(PGconn* db, const PGresult* result) {
  const char* state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  throw soci::postgresql_soci_error(PQerrorMessage(db), state ? state : "     ");
}

/// A copy under way. Destroying it before finish() cancels it, so that the connection can be used again.
class copy {
public:
  copy(PGconn* to, const std::string& command) : to_(to) {
    const result_pointer started(PQexec(to_, command.c_str()), &PQclear);
    if (PQresultStatus(started.get()) != PGRES_COPY_IN) raise(to_, started.get());
  }
  ~copy() {
    if (!to_) return;
    PQputCopyEnd(to_, "given up");
    while (next_result(to_)) {
    }
  }
  copy(const copy&) = delete;
  copy& operator=(const copy&) = delete;

  void send(std::string_view rows) {
    if (PQputCopyData(to_, rows.data(), static_cast<int>(rows.size())) != 1) raise(to_, nullptr);
  }

  std::int64_t finish() {
    auto* const db = std::exchange(to_, nullptr);
    if (PQputCopyEnd(db, nullptr) != 1) raise(db, nullptr);
    const auto result = next_result(db);
    while (next_result(db)) {
    }
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) raise(db, result.get());
    const std::string_view count = PQcmdTuples(result.get());
    std::int64_t rows = 0;
    std::from_chars(count.data(), count.data() + count.size(), rows);
    return rows;
  }

private:
  PGconn* to_;
};

std::string file_of(std::span<const binary_type> types, const cell_list& cells) {
  using namespace std::string_view_literals;
  std::string file{"PGCOPY\n\377\r\n\0"sv};
  append_integer<std::int32_t>(file, 0); // no flags
  append_integer<std::int32_t>(file, 0); // nor anything else
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto column = i % types.size();
    if (column == 0) append_integer(file, static_cast<std::int16_t>(types.size()));
    append_field(file, types[column], cells[i]);
  }
  append_integer<std::int16_t>(file, -1); // the end
  return file;
}

} // namespace

/// Everything is ready before the copy begins: PostgreSQL has no time limit for a client that sends no more
/// rows, so a server that is stopped in the middle of a copy keeps its locks until another server ends its
/// connection (end_overdue_transactions).
std::int64_t copy_in(PGconn* to, const std::string& command, std::span<const binary_type> types,
                     const cell_list& cells) {
  return copy_in(to, command, file_of(types, cells));
}

std::int64_t copy_in(PGconn* to, const std::string& command, std::string_view rows) {
  copy under_way(to, command);
  under_way.send(rows);
  return under_way.finish();
}

} // namespace roost::store
