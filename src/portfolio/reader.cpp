#include "portfolio/reader.hpp"

#include "domain/text.hpp"

namespace roost::portfolio {

namespace {

/// Appends one reference token (RFC 6901, 3).
void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
}

} // namespace

std::string hint(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t max_word_length = 64; // longer ones are not typing errors
  if (word.size() > max_word_length) return {};
  std::string_view nearest;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto name : names) {
    const auto distance = domain::edit_distance(domain::lower_case(word), domain::lower_case(name));
    if (distance >= best_distance) continue;
    best_distance = distance;
    nearest = name;
  }
  return nearest.empty() ? std::string{} : "; did you mean \"" + std::string{nearest} + "\"?";
}

std::string pointer_to(const pointer& at, const std::vector<std::string_view>& lists) {
  std::string pointer;
  for (std::size_t i = 0; i < lists.size() && i < at.size(); ++i) {
    pointer += '/';
    pointer += lists[i];
    pointer += '/' + std::to_string(at[i]);
  }
  return pointer;
}

bool reader::refuse_at(step part, std::string text) {
  path_.push_back(part);
  refuse(std::move(text));
  path_.pop_back();
  return false;
}

bool reader::refuse(std::string text) {
  problem problem{{}, std::move(text)};
  for (const auto& to : path_)
    append_token(problem.pointer, to.index == no_index ? std::string(to.name) : std::to_string(to.index));
  problems_->push_back(std::move(problem));
  return false;
}

pointer reader::position() const {
  pointer indexes{};
  std::size_t depth = 0;
  for (const auto& to : path_)
    if (to.index != no_index && depth < indexes.size())
      indexes[depth++] = static_cast<std::uint32_t>(to.index);
  return indexes;
}

bool reader::object(const member_names& names, std::uint64_t& given,
                    const std::function<bool(std::size_t)>& read) {
  if (!is(json_type::object)) return refuse("must be an object");
  auto expected = names.all.begin(); // files mostly keep one order
  const auto read_member = [&](const json_node& member) {
    auto at = std::find(expected, names.all.end(), member.key);
    if (at == names.all.end()) at = std::find(names.all.begin(), names.all.end(), member.key);
    if (at == names.all.end()) {
      refuse("is not a known field" + hint(member.key, names.all));
      return true; // report problems of the other members, too
    }
    const auto index = static_cast<std::size_t>(at - names.all.begin());
    if ((given >> index & 1) != 0) return refuse("is given twice");
    given |= std::uint64_t{1} << index;
    expected = at + 1;
    return read(index);
  };
  bool good = for_each_part(read_member);
  for (std::size_t i = 0; i < names.all.size(); ++i)
    if ((names.required & ~given) >> i & 1) good = refuse_member(names.all[i], "is required");
  return good;
}

bool reader::is_repeated(const json_node& object, const json_node& member) const {
  for (const auto* child = &object + 1; child != &member; child += child->span)
    if (child->key == member.key) return true;
  return false;
}

const json_node* reader::find(std::string_view name, json_type type) const {
  const json_node* match = nullptr;
  if (!is(json_type::object)) return match;
  for_each_child(*at_, [&](const json_node& member) {
    if (!match && member.key == name && member.type == type) match = &member;
  });
  return match;
}

} // namespace roost::portfolio
