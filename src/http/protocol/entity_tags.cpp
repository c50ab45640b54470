#include "http/protocol/entity_tags.hpp"

#include "bytes/ascii.hpp"

namespace roost::http {

namespace {

/// Calls `visit(tag, is_weak)` with each entity tag of a list, with its quotes, until it returns true.
/// Returns whether it did. Tags may contain commas; what is no tag is skipped.
template <typename Visit>
bool any_tag(std::string_view list, Visit visit) {
  enum { strong, weak, no_tag } next = strong;
  for (std::size_t at = 0; at < list.size();) {
    const char each = list[at];
    if (each == '"') {
      const auto end = list.find('"', at + 1);
      if (end == std::string_view::npos) return false;
      if (next != no_tag && visit(list.substr(at, end - at + 1), next == weak)) return true;
      next = strong;
      at = end + 1;
    } else if (next == strong && list.substr(at).starts_with("W/\"")) {
      next = weak;
      at += 2; // to the quote
    } else {
      next = each == ' ' || each == '\t' || each == ',' ? strong : no_tag;
      ++at;
    }
  }
  return false;
}

} // namespace

std::string entity_tag_of(std::string_view text) { return entity_tag_of(security::sha256(text)); }

std::string entity_tag_of(const security::sha256_digest& of_text) {
  constexpr std::size_t tag_bytes = 16; // of the digest
  return '"' + security::to_hex(security::byte_view{of_text}.first(tag_bytes)) + '"';
}

bool not_modified(const request& req, std::string_view tag) {
  const auto is_this = [&](std::string_view each, bool) { return each == tag; };
  for (const auto& field : req.fields)
    if (ascii::equal_ignoring_case(field.name, "If-None-Match") &&
        (field.value == "*" || any_tag(field.value, is_this)))
      return true;
  return false;
}

bool if_match::matches(std::string_view tag) const {
  return value == "*" ||
         any_tag(value, [&](std::string_view each, bool is_weak) { return !is_weak && each == tag; });
}

std::string_view if_match::first_tag() const {
  std::string_view first;
  any_tag(value, [&](std::string_view each, bool is_weak) {
    if (!is_weak) first = each;
    return !is_weak;
  });
  return first;
}

if_match if_match_of(const request& req) {
  if_match sent;
  for (const auto value : req.all("if-match")) {
    sent.value.append(sent.is_present ? ", " : "").append(value);
    sent.is_present = true;
  }
  return sent;
}

} // namespace roost::http
