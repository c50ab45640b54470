#include "http/protocol/router.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <stdexcept>

namespace roost::http {
namespace {

/// Routes have few segments: longer paths cannot match and are not split any further.
constexpr std::size_t max_segments = 16;

bool is_parameter(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

/// Splits a path into its segments, each of which follows a slash.
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  segments.reserve(8);
  while (!path.empty() && segments.size() <= max_segments) {
    const auto slash = path.find('/', 1);
    segments.push_back(path.substr(1, slash == std::string_view::npos ? slash : slash - 1));
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash);
  }
  return segments;
}

[[noreturn]] void refuse_pattern(const std::string& pattern, const char* problem) {
  throw std::invalid_argument("the route " + pattern + " " + problem);
}

} // namespace

std::size_t router::child(std::size_t parent, std::string_view segment) {
  if (is_parameter(segment)) {
    if (nodes_[parent].parameter == npos) {
      nodes_.emplace_back();
      nodes_[parent].parameter = nodes_.size() - 1;
    }
    return nodes_[parent].parameter;
  }
  for (const auto& [literal, index] : nodes_[parent].literals)
    if (literal == segment) return index;
  nodes_.emplace_back();
  nodes_[parent].literals.emplace_back(segment, nodes_.size() - 1);
  return nodes_.size() - 1;
}

void router::mount(std::string_view prefix, std::vector<route> routes) {
  const auto known = std::ranges::find(prefixes_, prefix);
  const auto prefix_index = static_cast<std::size_t>(known - prefixes_.begin());
  if (known == prefixes_.end()) prefixes_.emplace_back(prefix);
  for (route& route : routes) {
    std::string pattern = std::string(prefix) + route.pattern;
    if (!pattern.starts_with('/')) refuse_pattern(pattern, "does not start with a slash");
    if (!ascii::is_token(route.method)) refuse_pattern(pattern, "has no method");
    const auto segments = split(pattern);
    if (segments.size() > max_segments) refuse_pattern(pattern, "has too many segments");

    std::size_t at = 0;
    for (const auto segment : segments) {
      if (!is_parameter(segment) && segment.find_first_of("{}") != std::string_view::npos)
        refuse_pattern(pattern, "has a parameter that is not a whole segment");
      at = child(at, segment);
    }
    for (const std::size_t other : nodes_[at].routes)
      if (entries_[other].definition.method == route.method) refuse_pattern(pattern, "is mounted twice");
    nodes_[at].routes.push_back(entries_.size());
    entries_.push_back({std::move(route), std::move(pattern), prefix_index});
  }
}

std::size_t router::search(std::size_t at, const std::vector<std::string_view>& segments, std::size_t depth,
                           std::string_view method, std::vector<std::string>& parameters) const {
  const node& current = nodes_[at];
  if (depth == segments.size()) {
    std::size_t fallback = npos;
    for (const std::size_t index : current.routes) {
      const std::string& candidate = entries_[index].definition.method;
      if (candidate == method) return index;
      if (candidate == "GET" && method == "HEAD") fallback = index;
    }
    return fallback;
  }
  for (const auto& [literal, index] : current.literals) {
    if (literal != segments[depth]) continue;
    const auto match = search(index, segments, depth + 1, method, parameters);
    if (match != npos) return match;
    break;
  }
  if (current.parameter == npos || segments[depth].empty()) return npos;
  parameters.emplace_back(segments[depth]);
  const auto match = search(current.parameter, segments, depth + 1, method, parameters);
  if (match == npos) parameters.pop_back();
  return match;
}

std::size_t router::find(std::string_view method, std::string_view path,
                         std::vector<std::string>& parameters) const {
  parameters.clear();
  if (!path.starts_with('/')) return npos;
  auto segments = split(path);
  std::vector<std::string> decoded;
  if (path.find('%') != std::string_view::npos) {
    decoded.reserve(segments.size()); // the views must stay valid
    for (auto& segment : segments) {
      auto plain = percent_decoded(segment);
      if (!plain) throw bad_request("'" + std::string(path) + "' is not a valid url component");
      segment = decoded.emplace_back(std::move(*plain));
    }
  }
  if (segments.size() > max_segments) return npos;
  return search(0, segments, 0, method, parameters);
}

} // namespace roost::http
