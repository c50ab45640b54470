#include "domain/email_address.hpp"

#include "domain/entered_text.hpp"
#include "domain/text.hpp"

#include <algorithm>
#include <cstddef>
#include <idn2.h>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace roost::domain {

namespace {

constexpr std::size_t max_local_part = 64; // RFC 5321, 4.5.3.1
constexpr std::size_t max_domain = 253;
constexpr std::size_t max_address = 254; // without the angle brackets (RFC 5321, 4.5.3.1.3)
constexpr std::size_t max_label = 63;    // RFC 1035, 2.3.4

using code_points = std::u32string;
using code_point_view = std::u32string_view;

constexpr bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_decimal(char32_t c) { return c >= '0' && c <= '9'; }

/// Returns whether a non-ASCII character is allowed in a local part or a top-level domain: the first plane,
/// without surrogates, private use and noncharacters.
constexpr bool is_foreign(char32_t c, char32_t first) {
  return (c >= first && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) || (c >= 0xfdf0 && c <= 0xffef);
}

/// Decodes UTF-8; empty if it is invalid.
code_points decoded(std::string_view text) {
  code_points result;
  while (!text.empty()) {
    const auto c = take_character(text);
    if (!c) return {};
    result += *c;
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

/// Returns whether no mail server could take the character for the end of a command.
constexpr bool is_printable(char32_t c) {
  return c >= U' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && c != 0x2028 && c != 0x2029;
}

/// RFC 5322, 3.2.4, without folding and control characters.
bool is_quoted(code_point_view local) {
  if (local.size() < 2 || local.back() != U'"') return false;
  const auto inner = local.substr(1, local.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const auto c = inner[i];
    if (c == U'\\') {
      if (++i == inner.size() || !is_printable(inner[i])) return false;
    } else if (!is_printable(c) || c == U'"') {
      return false;
    }
  }
  return true;
}

bool is_label(code_point_view label) {
  const auto allowed = [](char32_t c) {
    return is_letter(c) || is_decimal(c) || c == U'-' || (c >= 0xa1 && !(c >= 0xff01 && c <= 0xff5e));
  };
  return !label.empty() && label.size() <= max_label && label.front() != U'-' && label.back() != U'-' &&
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

bool is_local_part(code_point_view local) {
  if (local.empty()) return false;
  return local.front() == U'"' ? is_quoted(local) : is_dotted(local);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Returns a display name without its quotes (RFC 5322, 3.2.4); nullopt if a quote does not end.
std::optional<std::string> unquoted(std::string_view name) {
  if (!name.starts_with('"')) return std::string(name);
  std::string text;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (name[i] == '"') return i + 1 == name.size() ? std::optional{text} : std::nullopt;
    if (name[i] == '\\' && ++i == name.size()) return std::nullopt;
    text += name[i];
  }
  return std::nullopt;
}

/// Converts a domain name with a function of libidn2; nullopt if IDNA does not allow the name.
template <typename Function>
std::optional<std::string> converted(Function convert, const std::string& name, int flags) {
  if (name.find('\0') != std::string::npos) return std::nullopt; // the function would ignore the rest
  char* result = nullptr;
  const auto status = convert(name.c_str(), &result, flags);
  const std::unique_ptr<char, decltype(&idn2_free)> owned(result, &idn2_free);
  if (status == IDN2_MALLOC) throw std::bad_alloc();
  return status == IDN2_OK ? std::optional<std::string>(result) : std::nullopt;
}

/// Returns whether a text in lower case may contain the ASCII form of an international label.
bool has_ascii_form(std::string_view text) { return text.find("xn--") != std::string_view::npos; }

} // namespace

bool needs_smtputf8(std::string_view mailable) {
  return std::ranges::any_of(mailable, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::optional<std::string> ascii_domain(std::string_view name) {
  if (!needs_smtputf8(name)) return std::string(name);
  return converted(idn2_to_ascii_8z, std::string(name), IDN2_NONTRANSITIONAL);
}

std::optional<std::string> unicode_domain(std::string_view name) {
  const auto ascii = ascii_domain(name);
  if (!ascii) return std::nullopt;
  auto lower = lower_case(*ascii);
  if (!has_ascii_form(lower)) return lower;
  auto unicode = converted(idn2_to_unicode_8z8z, lower, 0);
  // libidn2 decodes labels that stand for no name, too.
  return unicode && ascii_domain(*unicode) == lower ? unicode : std::nullopt;
}

std::optional<std::string> mailable_address(std::string_view address) {
  const auto at = address.rfind('@');
  if (at > max_local_part) return std::nullopt; // npos, too
  const auto local = address.substr(0, at);
  if (!is_local_part(decoded(local)) || !is_domain_name(decoded(address.substr(at + 1)))) return std::nullopt;
  const auto domain = ascii_domain(address.substr(at + 1));
  if (!domain || domain->size() > max_domain || !is_domain_name(decoded(*domain))) return std::nullopt;
  auto mailable = std::string(local) + "@" + *domain;
  return mailable.size() <= max_address ? std::optional(std::move(mailable)) : std::nullopt;
}

bool is_email_address(std::string_view text) { return mailable_address(text).has_value(); }

std::string email_key(std::string_view address) {
  auto lower = lower_case(address);
  if (!needs_smtputf8(lower) && !has_ascii_form(lower)) return lower; // most addresses
  const auto text = composed(address);
  const auto at = text.rfind('@');
  if (at == std::string::npos) return folded_case(text);
  auto name = unicode_domain(text.substr(at + 1));
  // An invalid A-label has no Unicode form, but other labels may be in Unicode.
  if (!name) name = ascii_domain(text.substr(at + 1));
  return folded_case(name ? text.substr(0, at + 1) + *name : text);
}

std::string masked_email(std::string_view email) {
  const auto at = email.rfind('@');
  if (at == std::string_view::npos || at == 0) return "***";
  std::size_t first = 1; // the length of the first character
  while (first < at && (static_cast<unsigned char>(email[first]) & 0xc0) == 0x80) ++first;
  return std::string(email.substr(0, first)) + "***" + std::string(email.substr(at));
}

std::optional<mailbox> parse_mailbox(std::string_view text) {
  text = trimmed(text);
  mailbox result;
  auto address = text;
  if (text.ends_with('>')) {
    const auto opening = text.rfind('<');
    if (opening == std::string_view::npos) return std::nullopt;
    const auto name = unquoted(trimmed(text.substr(0, opening)));
    if (!name || one_line(*name) != *name || name->find_first_of("<>") != std::string::npos)
      return std::nullopt;
    result.name = *name;
    address = text.substr(opening + 1, text.size() - opening - 2);
  }
  auto mailable = mailable_address(address);
  if (!mailable) return std::nullopt;
  result.address = std::move(*mailable);
  return result;
}

} // namespace roost::domain
