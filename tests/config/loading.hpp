#pragma once

#include "config/load.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace roost::config {

/// Returns options without files and environment variables.
inline options nothing_but_defaults() {
  options result;
  result.search.clear();
  return result;
}

inline options with_set(std::vector<std::string> texts) {
  auto result = nothing_but_defaults();
  result.set = std::move(texts);
  return result;
}

inline options with_file(const std::filesystem::path& file) {
  auto result = nothing_but_defaults();
  result.file = file;
  return result;
}

/// Returns the problems that load() reports; empty if it succeeds.
inline std::vector<problem> problems_of(const options& options) {
  try {
    load(options);
    return {};
  } catch (const invalid& error) {
    return error.problems();
  }
}

/// Returns the problems of a file with this text as lines without the file name: `12: key: text`.
inline std::vector<std::string> lines_about(const std::string& text) {
  const tests::temporary_folder folder;
  const auto file = folder.write("my.toml", text);
  std::vector<std::string> lines;
  for (const auto& problem : problems_of(with_file(file)))
    lines.push_back(to_string(problem).substr(file.string().size() + 1));
  return lines;
}

/// Returns the effective value of a key in a section with fixed keys.
inline effective_value effective(const loaded& loaded, const std::string& section, const std::string& key) {
  for (const auto& candidate : loaded.sections)
    if (candidate.header == '[' + section + ']')
      for (const auto& value : candidate.values)
        if (value.key == key) return value;
  return {};
}

} // namespace roost::config
