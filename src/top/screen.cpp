#include "top/screen.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace roost::top {

namespace {

constexpr std::size_t max_rows = 10; ///< of one table, where there is room

[[gnu::format(printf, 1, 2)]] std::string format(const char* how, ...) {
  char text[256];
  va_list values;
  va_start(values, how);
  std::vsnprintf(text, sizeof text, how, values);
  va_end(values);
  return text;
}

/// `12us`, `3.4ms`, `1.2s`, `35m`; a dash for nothing.
std::string time_text(std::optional<double> seconds) {
  if (!seconds) return "-";
  if (*seconds < 1e-3) return format("%.0fus", *seconds * 1e6);
  if (*seconds < 1) return format("%.*fms", *seconds < 0.01 ? 1 : 0, *seconds * 1e3);
  if (*seconds < 100) return format("%.1fs", *seconds);
  return format("%.0fm", *seconds / 60);
}

/// `0`, `0.4`, `12`, `57.3k`, `1.2M`.
std::string count_text(double value) {
  if (value >= 1e6) return format("%.1fM", value / 1e6);
  if (value >= 1e4) return format("%.1fk", value / 1e3);
  if (value > 0 && value < 10 && value != std::floor(value)) return format("%.1f", value);
  return format("%.0f", value);
}

std::string both(const spread& times) { return time_text(times.p50) + "/" + time_text(times.p99); }

std::string share_text(double share) { return format("%.0f%%", share * 100); }

/// The beginning of `text` in so many columns, by characters of UTF-8, without control characters.
std::string fitted(const std::string& text, std::size_t columns) {
  std::string kept;
  std::size_t used = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins = (byte & 0xc0) != 0x80;
    if (begins && used == columns) break;
    used += begins;
    kept += byte < ' ' || byte == 0x7f ? '?' : c;
  }
  return kept + std::string(columns - std::min(used, columns), ' ');
}

struct table {
  std::string title;
  std::vector<std::string> rows;
};

table stages(const view& shown) {
  table made{"LATENCY p50/p99      /s       waiting          deciding        committing", {}};
  for (const auto& each : shown.stages)
    made.rows.push_back(format("%-16s%8s%17s%18s%18s", each.of.c_str(), count_text(each.rate).c_str(),
                               both(each.waiting).c_str(), both(each.deciding).c_str(),
                               both(each.committing).c_str()));
  return made;
}

table threads(const view& shown) {
  table made{"THREAD              cpu  in actors  turns/s  steals/s  queue  stalls", {}};
  for (const auto& each : shown.threads)
    made.rows.push_back(format("%-17s%6s%11s%9s%10s%7s%8s", each.name.c_str(),
                               share_text(each.processor).c_str(), share_text(each.busy).c_str(),
                               count_text(each.runs).c_str(), count_text(each.steals).c_str(),
                               count_text(each.queue).c_str(), count_text(each.stalls).c_str()));
  return made;
}

table lanes(const view& shown) {
  table made{"STORE LANE              busy   jobs/s  waiting   wait p50/p99", {}};
  for (const auto& each : shown.lanes)
    made.rows.push_back(format("%-22s%6s%9s%9s%15s", each.name.c_str(), share_text(each.busy).c_str(),
                               count_text(each.jobs).c_str(), count_text(each.waiting).c_str(),
                               both(each.wait).c_str()));
  return made;
}

table actors(const view& shown) {
  table made{"ACTOR               alive  runs/s  msgs/s   run p50/p99  wait p50/p99  deepest", {}};
  for (const auto& each : shown.actors)
    made.rows.push_back(format("%-18s%7s%8s%8s%14s%14s%9s", each.type.c_str(), count_text(each.alive).c_str(),
                               count_text(each.runs).c_str(), count_text(each.messages).c_str(),
                               both(each.run).c_str(), both(each.wait).c_str(),
                               count_text(each.deepest).c_str()));
  return made;
}

table platforms(const view& shown) {
  table made{"PLATFORM             reads/s  writes/s  refused/s      p50/p99", {}};
  for (const auto& each : shown.platforms)
    if (each.reads + each.writes > 0)
      made.rows.push_back(format("%-19s%9s%10s%11s%13s", each.name.c_str(), count_text(each.reads).c_str(),
                                 count_text(each.writes).c_str(), count_text(each.refused).c_str(),
                                 both(each.latency).c_str()));
  return made;
}

table busiest(const std::string& of, const std::vector<busy_row>& entries) {
  constexpr std::size_t name_columns = 26;
  table made{of + "  reads/s  taken/s  refused/s", {}};
  for (const auto& each : entries)
    made.rows.push_back(fitted(each.name, name_columns) +
                        format(" %-9.8s%8s%9s%11s", each.id.c_str(), count_text(each.reads).c_str(),
                               count_text(each.reserved).c_str(), count_text(each.refused).c_str()));
  return made;
}

std::vector<std::string> head(const view& shown) {
  std::string state = shown.ready ? "ready" : "NOT READY";
  for (const auto& why : shown.not_ready) state += "; " + why;
  return {format("roost %s  %s, %s", shown.server.c_str(), shown.is_writer ? "writer" : "no writer",
                 state.c_str()),
          format("units %s  requests %s/s  in flight %s  connections %s  503 %s/s  500 %s/s",
                 count_text(shown.units).c_str(), count_text(shown.requests).c_str(),
                 count_text(shown.in_flight).c_str(), count_text(shown.connections).c_str(),
                 count_text(shown.busy_responses).c_str(), count_text(shown.failures).c_str()),
          format("queue %s waiting, moved %s ago  decided %s/s  refused %s/s  mails %s",
                 count_text(shown.queue_waiting).c_str(), time_text(shown.queue_age).c_str(),
                 count_text(shown.decided).c_str(), count_text(shown.refused).c_str(),
                 count_text(shown.mails_waiting).c_str()),
          format("asks %s/s  in flight %s  timed out %s  refused %s", count_text(shown.asks).c_str(),
                 count_text(shown.asks_in_flight).c_str(), count_text(shown.asks_timed_out).c_str(),
                 count_text(shown.asks_refused).c_str())};
}

/// How many rows each table may have so that all fit: the longest ones are cut first.
std::size_t rows_of_each(const std::vector<table>& tables, std::size_t lines) {
  std::size_t each = max_rows;
  for (; each > 1; --each) {
    std::size_t needed = 0;
    for (const auto& table : tables)
      if (!table.rows.empty()) needed += 1 + std::min(table.rows.size(), each);
    if (needed <= lines) break;
  }
  return each;
}

} // namespace

std::vector<std::string> draw(const view& shown, std::size_t columns, std::size_t rows) {
  auto lines = head(shown);
  if (shown.advice.empty()) lines.emplace_back("nothing to tune");
  for (const auto& each : shown.advice) lines.push_back("turn " + each);
  const std::vector<table> tables{stages(shown),
                                  platforms(shown),
                                  threads(shown),
                                  lanes(shown),
                                  actors(shown),
                                  busiest("UNIT                      id      ", shown.hot_units),
                                  busiest("ACCOUNT                   id      ", shown.busy_accounts)};
  const auto left = rows > lines.size() ? rows - lines.size() : 0;
  const auto each = rows == 0 ? std::numeric_limits<std::size_t>::max() : rows_of_each(tables, left);
  for (const auto& table : tables) {
    if (table.rows.empty()) continue;
    lines.push_back(table.title);
    lines.insert(lines.end(), table.rows.begin(),
                 table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(each, table.rows.size())));
  }
  if (rows > 0 && lines.size() > rows) lines.resize(rows);
  for (auto& line : lines) {
    line = fitted(line, columns);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

} // namespace roost::top
