#include "http/office/conditions.hpp"

#include "json/writer.hpp"
#include "security/digest.hpp"

#include <numeric>

namespace roost::http {

namespace {

constexpr std::size_t characters_per_member = 6; // 36 bits

} // namespace

void tag_builder::add(std::string_view value) {
  text_ += security::to_base64url(security::sha256(value)).substr(0, characters_per_member);
}

std::vector<std::size_t> differing_members(std::string_view known, std::string_view current,
                                           std::size_t count) {
  std::vector<std::size_t> members;
  const auto length = 2 + count * characters_per_member; // with quotes
  const bool is_comparable = known.size() == length && current.size() == length;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = 1 + i * characters_per_member;
    if (!is_comparable ||
        known.substr(at, characters_per_member) != current.substr(at, characters_per_member))
      members.push_back(i);
  }
  return members;
}

error outdated_state(const std::string& message, const if_match& sent, std::string_view current_tag,
                     const std::vector<std::string_view>& names, const store::last_change& last) {
  json::writer changed;
  changed.begin_array();
  for (const auto position : differing_members(sent.first_tag(), current_tag, names.size()))
    changed.value(names[position]);
  changed.end_array();
  auto refusal = precondition_failed(message);
  refusal.current_tag = current_tag;
  refusal.with("changedBy", last.by)
      .with("changedAt", domain::to_string(last.at))
      .with("changed", json_value{std::string(changed.text())});
  return refusal;
}

} // namespace roost::http
