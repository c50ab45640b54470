#include "listings/content_lines.hpp"

namespace roost::listings {

namespace {

constexpr std::size_t max_line = 75; ///< octets, without the line's end
constexpr std::string_view fold = "\r\n ";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Returns where to cut a text after at most `max` octets; splits no character of UTF-8.
std::size_t cut_before(std::string_view text, std::size_t max) {
  constexpr std::size_t max_character = 4;
  for (std::size_t cut = max; cut + max_character > max; --cut)
    if (!continues_character(text[cut])) return cut;
  return max;
}

} // namespace

void content_lines::add(std::string_view name, std::string_view value) {
  text_.append(name) += ':';
  text_ += value;
  end_line();
}

void content_lines::add_text(std::string_view name, std::string_view value) {
  constexpr char delete_character = 0x7f;
  text_.append(name) += ':';
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool before_line_feed = i + 1 < value.size() && value[i + 1] == '\n';
    if (c == '\\' || c == ';' || c == ',')
      (text_ += '\\') += c;
    else if (c == '\n' || (c == '\r' && !before_line_feed))
      text_ += "\\n";
    else if (c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != delete_character))
      text_ += c;
  }
  end_line();
}

void content_lines::end_line() {
  if (text_.size() - line_start_ > max_line) {
    const auto whole = text_.substr(line_start_);
    text_.resize(line_start_);
    std::string_view rest = whole;
    for (auto max = max_line; rest.size() > max; max = max_line - 1) { // the fold's space counts
      const auto cut = cut_before(rest, max);
      text_.append(rest.substr(0, cut)).append(fold);
      rest.remove_prefix(cut);
    }
    text_ += rest;
  }
  text_ += "\r\n";
  line_start_ = text_.size();
}

} // namespace roost::listings
