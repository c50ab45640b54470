#include "store/database/postgresql_copy.hpp"

#include "store/database/connecting.hpp"
#include "store/database/error.hpp"

#include <boost/endian/conversion.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <concepts>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <utility>

namespace roost::store {

namespace {

using namespace std::chrono_literals;

/// The epoch of dates and timestamps in PostgreSQL.
constexpr auto epoch = domain::date_of(2000y / 1 / 1);
constexpr char jsonb_version = 1;
constexpr std::int32_t length_of_null = -1;

template <typename Value>
Value required(const std::optional<Value>& value) {
  if (!value) throw constraint_violated(violation::invalid_value, "column_type");
  return *value;
}

template <typename Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return required(error == std::errc{} && end == text.end() ? std::optional(value) : std::nullopt);
}

/// Appends an integer in network byte order.
template <std::integral Integer>
void append_integer(std::string& out, Integer value) {
  const auto big = boost::endian::native_to_big(value);
  out.append(reinterpret_cast<const char*>(&big), sizeof big);
}

template <std::integral Integer>
void append_fixed(std::string& out, Integer value) {
  append_integer(out, static_cast<std::int32_t>(sizeof value));
  append_integer(out, value);
}

template <std::integral Stored, typename Number = Stored>
void append_number(std::string& out, std::string_view text) {
  append_fixed(out, static_cast<Stored>(number<Number>(text)));
}

void append_text(std::string& out, std::string_view text, std::string_view prefix = {}) {
  if (text.find('\0') != std::string_view::npos)
    throw constraint_violated(violation::invalid_value, "text_without_nul");
  append_integer(out, static_cast<std::int32_t>(prefix.size() + text.size()));
  out.append(prefix).append(text);
}

void append_uuid(std::string& out, std::string_view text) {
  const auto id = required(domain::parse_uuid(text));
  append_integer(out, static_cast<std::int32_t>(id.size()));
  out.append(id.begin(), id.end());
}

void append_date(std::string& out, std::string_view text) {
  append_fixed(out, static_cast<std::int32_t>((required(domain::parse_date(text)) - epoch).count()));
}

void append_timestamp(std::string& out, std::string_view text) {
  const std::chrono::microseconds elapsed = required(domain::parse_timestamp(text)) - epoch;
  append_fixed(out, static_cast<std::int64_t>(elapsed.count()));
}

constexpr std::array<std::pair<std::string_view, append_binary>, 10> binary_formats{
    {{"text", [](std::string& out, std::string_view text) { append_text(out, text); }},
     {"json", [](std::string& out, std::string_view text) { append_text(out, text); }},
     {"jsonb",
      [](std::string& out, std::string_view text) {
        append_text(out, text, {&jsonb_version, 1});
      }},
     {"boolean", append_number<std::int8_t, int>},
     {"integer", append_number<std::int32_t>},
     {"bigint", append_number<std::int64_t>},
     {"double precision",
      [](std::string& out, std::string_view text) {
        append_fixed(out, std::bit_cast<std::int64_t>(number<double>(text)));
      }},
     {"uuid", append_uuid},
     {"date", append_date},
     {"timestamptz", append_timestamp}}};

using result_pointer = std::unique_ptr<PGresult, decltype(&PQclear)>;

result_pointer next_result(PGconn* db) { return {PQgetResult(db), &PQclear}; }

/// Cancels a copy in progress unless it was completed: the connection stays usable.
struct cancel_on_exit {
  PGconn* db; ///< null once completed

  ~cancel_on_exit() {
    if (!db) return;
    PQputCopyEnd(db, "cancelled");
    while (next_result(db)) {
    }
  }
};

} // namespace

append_binary binary_format_of(std::string_view type) {
  for (const auto& [name, append] : binary_formats)
    if (name == type) return append;
  throw failure("no binary format is known for the type " + std::string(type));
}

std::string encode_rows(std::span<const append_binary> formats, const cell_list& cells) {
  using namespace std::string_view_literals;
  std::string out{"PGCOPY\n\377\r\n\0"sv};
  append_integer<std::int32_t>(out, 0); // flags
  append_integer<std::int32_t>(out, 0); // length of the header extension
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto column = i % formats.size();
    if (column == 0) append_integer(out, static_cast<std::int16_t>(formats.size()));
    if (const auto cell = cells[i])
      formats[column](out, *cell);
    else
      append_integer(out, length_of_null);
  }
  append_integer<std::int16_t>(out, -1); // trailer
  return out;
}

std::int64_t copy_in(pg_conn* db, const std::string& command, std::string_view rows) {
  const result_pointer started(PQexec(db, command.c_str()), &PQclear);
  if (PQresultStatus(started.get()) != PGRES_COPY_IN) throw result_error(started.get());
  cancel_on_exit unfinished{db};
  if (PQputCopyData(db, rows.data(), static_cast<int>(rows.size())) != 1) throw result_error(nullptr);
  unfinished.db = nullptr;
  if (PQputCopyEnd(db, nullptr) != 1) throw result_error(nullptr);
  const auto result = next_result(db);
  while (next_result(db)) {
  }
  if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) throw result_error(result.get());
  return number<std::int64_t>(PQcmdTuples(result.get()));
}

} // namespace roost::store
