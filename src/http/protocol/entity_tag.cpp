#include "bytes/ascii.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"
#include "security/digest.hpp"

#include <algorithm>

namespace roost::http {
namespace {

/// Whether a list of entity tags holds `tag` (with its quotes), weak or strong. Tags may hold commas.
bool names_tag(std::string_view list, std::string_view tag) {
  while (true) {
    list = list.substr(std::min(list.find_first_not_of(" \t,"), list.size()));
    if (list.starts_with("W/")) list.remove_prefix(2);
    if (!list.starts_with('"')) return false;
    const auto end = list.find('"', 1);
    if (end == std::string_view::npos) return false;
    if (list.substr(0, end + 1) == tag) return true;
    list.remove_prefix(end + 1);
  }
}

} // namespace

std::string entity_tag_of(std::string_view text) {
  constexpr std::size_t enough = 16; // bytes of the digest
  const auto digest = security::sha256(text);
  return '"' + security::to_hex(security::byte_view{digest}.first(enough)) + '"';
}

bool not_modified(const request& req, std::string_view tag) {
  for (const auto& field : req.fields)
    if (ascii::equal_ignoring_case(field.name, "If-None-Match") &&
        (field.value == "*" || names_tag(field.value, tag)))
      return true;
  return false;
}

} // namespace roost::http
