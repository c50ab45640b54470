#include "ical/components.hpp"

#include "domain/entered_text.hpp"
#include "domain/text.hpp"
#include "ical/broken_calendar.hpp"
#include "ical/duration_syntax.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace roost::ical {

namespace {

std::string_view without_trailing_blanks(std::string_view line) {
  const auto last = line.find_last_not_of(" \t\r");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Reads the unfolded lines of a text.
class line_reader {
public:
  explicit line_reader(std::string_view text) : rest_(text) {}

  /// Reads the next line into `line`; false at the end.
  bool next(std::string& line) {
    if (rest_.empty()) return false;
    number_ = next_number_;
    line.clear();
    do {
      auto piece = take_piece();
      while (piece.ends_with('\r')) piece.remove_suffix(1);
      if (!line.empty() && is_fold(piece)) piece.remove_prefix(1);
      line.append(piece);
    } while (!rest_.empty() && is_fold(rest_));
    line.resize(without_trailing_blanks(line).size());
    return true;
  }

  /// Returns the number of the line that was read last, from 1; of a folded line, that of its first piece.
  std::size_t number() const { return number_; }

private:
  static bool is_fold(std::string_view piece) { return piece.starts_with(' ') || piece.starts_with('\t'); }

  std::string_view take_piece() {
    const auto end = rest_.find('\n');
    const auto piece = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    ++next_number_;
    return piece;
  }

  std::string_view rest_;
  std::size_t number_ = 0, next_number_ = 1;
};

constexpr std::array<std::string_view, 10> names_in_events{
    "dtstart", "dtend", "duration", "rrule", "rdate", "exdate", "recurrence-id", "uid", "status", "transp"};
constexpr std::array<std::string_view, 5> names_in_observances{"dtstart", "rrule", "rdate", "tzoffsetfrom",
                                                               "tzoffsetto"};

template <std::size_t Count>
bool is_in(const std::array<std::string_view, Count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Splits the lines of a text into components. Names are in lower case.
class assembler {
public:
  void add(const std::string& line, std::size_t number) {
    const auto name = domain::lower_case(std::string_view{line}.substr(0, line.find_first_of(":;")));
    if (name == "begin")
      begin(domain::lower_case(value_of(line)), number);
    else if (name == "end")
      end(domain::lower_case(value_of(line)), number);
    else if (keeps(name, line))
      keep_property(name, line, number);
  }

  components finish() {
    if (!has_calendar_) throw broken_calendar("The text is not a calendar: BEGIN:VCALENDAR is missing");
    if (!open_.empty()) throw broken_calendar("The calendar is incomplete: END:VCALENDAR is missing");
    return std::move(found_);
  }

private:
  /// Returns what follows the first colon, without leading blanks.
  static std::string_view value_of(std::string_view line) {
    const auto first = line.find_first_not_of(" \t", std::min(line.find(':'), line.size() - 1) + 1);
    return line.substr(std::min(first, line.size()));
  }

  [[noreturn]] static void refuse(std::size_t number, std::string_view reason) {
    throw broken_calendar("Line " + std::to_string(number) + " of the calendar " + std::string(reason));
  }

  void begin(std::string kind, std::size_t number) {
    const bool is_event = kind == "vevent", is_zone = kind == "vtimezone";
    if ((kind == "vcalendar") != open_.empty()) refuse(number, "begins a component in the wrong place");
    if ((is_event || is_zone) && open_.size() != 1) refuse(number, "begins a component in the wrong place");
    has_calendar_ = true;
    if (is_event || is_zone) {
      current_ = &(is_event ? found_.events : found_.zones).emplace_back();
      current_->line = number;
    }
    open_.push_back(std::move(kind));
    if (is_kept_component()) keep("BEGIN:" + open_.back());
  }

  void end(const std::string& kind, std::size_t number) {
    if (open_.empty() || open_.back() != kind) refuse(number, "ends a component that has not begun");
    if (is_kept_component()) keep("END:" + kind);
    open_.pop_back();
    if (open_.size() == 1) current_ = nullptr;
  }

  /// Whether the innermost component is an event, a time zone or an observance of one, but not, for example,
  /// an alarm.
  bool is_kept_component() const { return current_ != nullptr && (open_.size() == 2 || is_observance()); }
  bool is_observance() const {
    return open_.size() == 3 && open_[1] == "vtimezone" &&
           (open_.back() == "standard" || open_.back() == "daylight");
  }

  bool keeps(std::string_view name, std::string_view line) const {
    if (!is_kept_component()) return false;
    if (is_observance()) return is_in(names_in_observances, name);
    if (open_.back() == "vtimezone") return name == "tzid";
    if (name == "uid" && value_of(line).empty()) return false; // as if it were missing
    return is_in(names_in_events, name);
  }

  void keep_property(std::string_view name, std::string_view line, std::size_t number) {
    // libical needs quadratic time for the values of one line.
    constexpr std::size_t max_length = 100'000;
    if (line.size() > max_length) refuse(number, "is longer than 100,000 bytes");
    constexpr std::size_t max_rules = 10'000; // libical needs kilobytes for each
    if (name == "rrule" && ++rules_ > max_rules)
      throw broken_calendar("The calendar has more than 10,000 recurrence rules");
    if (name == "duration" && !is_duration(value_of(line))) refuse(number, "is no valid DURATION");
    if (name == "rdate" && !has_valid_durations(line.substr(line.rfind(':') + 1)))
      refuse(number, "is no valid RDATE");
    keep(line);
  }

  void keep(std::string_view line) { current_->text.append(line).append(1, '\n'); }

  components found_;
  component* current_ = nullptr;  ///< the event or time zone that is open
  std::vector<std::string> open_; ///< the kinds of the open components, outermost first
  std::size_t rules_ = 0;
  bool has_calendar_ = false;
};

} // namespace

components read_components(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    throw broken_calendar("The text is not a calendar: it contains NUL bytes");
  line_reader lines(domain::without_byte_order_mark(text));
  assembler all;
  for (std::string line; lines.next(line);) all.add(line, lines.number());
  return all.finish();
}

} // namespace roost::ical
