#include "portfolio/reader.hpp"

#include "domain/text.hpp"

#include <algorithm>

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

/// How many characters must be put in, taken out or changed to make `a` of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

} // namespace

std::string hint(std::string_view word, const std::vector<std::string_view>& names) {
  constexpr std::size_t longest_word = 64; // longer ones are no typing errors
  if (word.size() > longest_word) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto name : names) {
    const auto distance = edit_distance(domain::lower_case(word), domain::lower_case(name));
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? std::string{} : "; did you mean \"" + std::string{nearest} + "\"?";
}

reader::reader(const json_node& at, std::vector<problem>& problems, std::string_view list, std::size_t index,
               const std::function<void(const std::string&)>& known)
    : at_(&at), problems_(&problems), path_{{list, no_index}, {{}, index}}, known_(known ? &known : nullptr) {
}

reader::reader(const json_node& root, std::vector<problem>& problems) : at_(&root), problems_(&problems) {}

bool reader::refuse(std::string text) { return report(std::move(text)); }

bool reader::refuse_member(std::string_view name, std::string text) {
  path_.push_back({name, no_index});
  report(std::move(text));
  path_.pop_back();
  return false;
}

bool reader::refuse_element(std::size_t index, std::string text) {
  path_.push_back({{}, index});
  report(std::move(text));
  path_.pop_back();
  return false;
}

bool reader::report(std::string text) {
  problem found;
  for (const auto& to : path_) {
    if (to.index == no_index)
      append_token(found.pointer, to.name);
    else
      append_token(found.pointer, std::to_string(to.index));
  }
  found.text = std::move(text);
  problems_->push_back(std::move(found));
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

bool reader::object(std::initializer_list<field> fields) {
  if (!is(json_type::object)) return refuse("must be an object");
  if (known_) tell_known(fields);
  bool good = true;
  std::uint64_t seen = 0;
  std::size_t expected = 0; // files mostly keep one order
  const auto& object = *at_;
  for_each_child(object, [&](const json_node& member) {
    path_.push_back({member.key, no_index});
    at_ = &member;
    good &= read_member(member, fields, seen, expected);
    path_.pop_back();
  });
  at_ = &object;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& known = fields.begin()[i];
    if (known.is_required() && (seen >> i & 1) == 0) good = refuse_member(known.name(), "is required");
  }
  return good;
}

void reader::tell_known(std::initializer_list<field> fields) const {
  std::string place;
  for (const auto& to : path_)
    if (to.index == no_index) place.append(to.name) += '/';
  for (const auto& each : fields) (*known_)(place + std::string(each.name()));
}

bool reader::read_member(const json_node& member, std::initializer_list<field> fields, std::uint64_t& seen,
                         std::size_t& expected) {
  const auto has_name = [&](const field& of) { return of.name() == member.key; };
  auto at = std::find_if(fields.begin() + expected, fields.end(), has_name);
  if (at == fields.end()) at = std::find_if(fields.begin(), fields.end(), has_name);
  if (at == fields.end()) {
    std::vector<std::string_view> names;
    for (const auto& of : fields) names.push_back(of.name());
    refuse("is not a known field" + hint(member.key, names));
    return true; // what is known may still be good
  }
  const auto index = static_cast<std::size_t>(at - fields.begin());
  if ((seen >> index & 1) != 0) return refuse("is given twice");
  seen |= std::uint64_t{1} << index;
  expected = index + 1;
  return at->read();
}

bool reader::is_repeated(const json_node& object, const json_node& member) const {
  for (const auto* child = &object + 1; child != &member; child += child->span)
    if (child->key == member.key) return true;
  return false;
}

std::string_view reader::peek_text(std::string_view name) const {
  std::string_view found;
  if (!is(json_type::object)) return found;
  for_each_child(*at_, [&](const json_node& member) {
    if (found.empty() && member.key == name && member.type == json_type::text) found = member.text;
  });
  return found;
}

} // namespace roost::portfolio
