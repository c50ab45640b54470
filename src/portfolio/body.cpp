#include "portfolio/body.hpp"

#include <algorithm>
#include <utility>

namespace roost::portfolio {

namespace {

bool is_index(std::string_view step) {
  return !step.empty() && std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; });
}

/// Removes the escapes of a step of a JSON pointer (RFC 6901, 4).
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool is_escape = step[i] == '~' && i + 1 < step.size();
    text += !is_escape ? step[i] : step[++i] == '1' ? '/' : '~';
  }
  return text;
}

} // namespace

body_problems read_text(std::string_view json, const context& with,
                        const std::function<void(reader&)>& read) {
  body_problems found;
  file_scope scope{with};
  json_consumer consumer;
  consumer.rest = [&](const json_node& root) {
    reader in{root, found.problems, scope};
    read(in);
  };
  consumer.restart = [&] { found.problems.clear(); };
  found.broken = read_json(json, {}, consumer);
  return found;
}

bool has_any(std::string_view json, std::initializer_list<std::string_view> names) {
  bool any = false;
  const context nothing_configured;
  read_text(json, nothing_configured, [&](reader& in) {
    if (!in.is(json_type::object)) return;
    for_each_child(in.node(), [&](const json_node& member) {
      any |= std::ranges::find(names, member.key) != names.end();
    });
  });
  return any;
}

std::string to_message(const problem& problem) {
  std::string path;
  for (auto rest = std::string_view{problem.pointer}; !rest.empty();) {
    rest.remove_prefix(1);
    const auto step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(step.size());
    if (is_index(step))
      path.append(1, '[').append(step) += ']';
    else
      path.append(path.empty() ? "" : ".").append(unescaped(step));
  }
  return domain::one_line((path.empty() ? std::string("The body") : path) + ' ' + problem.text);
}

} // namespace roost::portfolio
