#include "domain/email_address.hpp"

#include <algorithm>
#include <string>
#include <utf8proc.h>
#include <vector>

namespace roost::domain {

namespace {

constexpr std::size_t longest_local_part = 64; // RFC 5321, 4.5.3.1
constexpr std::size_t longest_domain = 254;
constexpr std::size_t longest_label = 63; // RFC 1035, 2.3.4

using code_points = std::u32string;
using code_point_view = std::u32string_view;

constexpr bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_decimal(char32_t c) { return c >= '0' && c <= '9'; }

/// Characters beyond ASCII that a local part or a top-level domain may have: those of the first plane,
/// without surrogates, private use and what is no character.
constexpr bool is_foreign(char32_t c, char32_t first) {
  return (c >= first && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) || (c >= 0xfdf0 && c <= 0xffef);
}

/// Empty for what is no UTF-8.
code_points decoded(std::string_view text) {
  code_points result;
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t c = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    if (size < 1) return {};
    result += static_cast<char32_t>(c);
    at += static_cast<std::size_t>(size);
  }
  return result;
}

std::vector<code_point_view> parts_of(code_point_view text) {
  std::vector<code_point_view> parts;
  for (std::size_t from = 0;;) {
    const auto dot = text.find(U'.', from);
    parts.push_back(text.substr(from, dot - from));
    if (dot == code_point_view::npos) return parts;
    from = dot + 1;
  }
}

bool is_atom_character(char32_t c) {
  return is_letter(c) || is_decimal(c) ||
         code_point_view(U"!#$%&'*+-/=?^_`{|}~").find(c) != code_point_view::npos || is_foreign(c, 0xa1);
}

bool is_dotted(code_point_view local) {
  return std::ranges::all_of(parts_of(local), [](code_point_view part) {
    return !part.empty() && std::ranges::all_of(part, is_atom_character);
  });
}

/// RFC 5322, 3.2.4, without folding.
bool is_quoted(code_point_view local) {
  if (local.size() < 2 || local.back() != U'"') return false;
  const auto inner = local.substr(1, local.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const auto c = inner[i];
    if (c == U'\\') {
      if (++i == inner.size() || inner[i] == 0) return false;
    } else if (c == 0 || c == U'"') {
      return false;
    }
  }
  return true;
}

bool is_label(code_point_view label) {
  const auto allowed = [](char32_t c) {
    return is_letter(c) || is_decimal(c) || c == U'-' || (c >= 0xa1 && !(c >= 0xff01 && c <= 0xff5e));
  };
  return !label.empty() && label.size() <= longest_label && label.front() != U'-' && label.back() != U'-' &&
         std::ranges::all_of(label, allowed);
}

bool is_top_level(code_point_view label) {
  if (label.size() < 2) return false;
  const auto lower = [](char32_t c) { return c | 0x20; };
  if (label.size() >= 4 && lower(label[0]) == U'x' && lower(label[1]) == U'n' &&
      std::ranges::all_of(label, [](char32_t c) { return is_letter(c) || is_decimal(c) || c == U'-'; }))
    return true;
  return std::ranges::all_of(label,
                             [](char32_t c) { return is_letter(c) || (is_foreign(c, 0xa1) && c != 0xa9); });
}

bool is_domain_name(code_point_view name) {
  const auto labels = parts_of(name);
  return labels.size() >= 2 && std::ranges::all_of(labels, is_label) && is_top_level(labels.back());
}

} // namespace

bool is_email_address(std::string_view text) {
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || at > longest_local_part) return false;
  if (text.size() - at - 1 > longest_domain) return false;
  const auto local = decoded(text.substr(0, at));
  if (local.empty() || !is_domain_name(decoded(text.substr(at + 1)))) return false;
  return local.front() == U'"' ? is_quoted(local) : is_dotted(local);
}

} // namespace roost::domain
