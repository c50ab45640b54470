#include "store/postgresql_copy.hpp"

#include "store/error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>

namespace roost::store {

namespace {

using result_pointer = std::unique_ptr<PGresult, decltype(&PQclear)>;

result_pointer next_result(PGconn* of) { return {PQgetResult(of), &PQclear}; }

[[noreturn]] void raise(PGconn* on, const PGresult* result) {
  const char* state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  throw soci::postgresql_soci_error(PQerrorMessage(on), state ? state : "     ");
}

/// By what a character stands for it after a backslash; 0 where it stands for itself.
constexpr auto escapes = [] {
  std::array<char, 256> letters{};
  letters['\\'] = '\\';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\r'] = 'r';
  return letters;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

/// Nearly all text is taken as it is, in one piece.
void append_text(std::string& out, std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    throw constraint_violated(violation::other, "text_without_nul");
  for (auto at = text.begin();;) {
    const auto special = std::find_if(at, text.end(), escape_of);
    out.append(at, special);
    if (special == text.end()) return;
    out += '\\';
    out += escape_of(*special);
    at = special + 1;
  }
}

void append_cell(std::string& out, const cell& value) {
  if (value)
    append_text(out, *value);
  else
    out += "\\N";
}

/// A copy under way. One that is left without its end is given up, so that the connection can go on.
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
    auto* const on = std::exchange(to_, nullptr);
    if (PQputCopyEnd(on, nullptr) != 1) raise(on, nullptr);
    const auto result = next_result(on);
    while (next_result(on)) {
    }
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) raise(on, result.get());
    const std::string_view count = PQcmdTuples(result.get());
    std::int64_t rows = 0;
    std::from_chars(count.data(), count.data() + count.size(), rows);
    return rows;
  }

private:
  PGconn* to_;
};

} // namespace

/// All text is ready before the copy begins: PostgreSQL ends nobody who only sends no more rows, so that a
/// server that is stopped in the midst of a copy keeps its locks until another one ends it
/// (end_overdue_transactions).
std::int64_t copy_in(PGconn* to, const std::string& command, std::size_t width, std::span<const cell> cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    append_cell(text, cells[i]);
    text += (i + 1) % width == 0 ? '\n' : '\t';
  }
  copy rows(to, command);
  rows.send(text);
  return rows.finish();
}

} // namespace roost::store
