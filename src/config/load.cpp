#include "config/load.hpp"

#include "config/idle_settings.hpp"
#include "config/reader.hpp"

#include <system_error>
#include <unistd.h>

namespace roost::config {

namespace {

std::optional<std::filesystem::path> chosen_file(const options& options, findings& findings) {
  const auto exists = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  if (options.file) {
    if (exists(*options.file)) return options.file;
    findings.add(options.file->string(), "", "there is no such file");
    return std::nullopt;
  }
  for (const auto& path : options.search)
    if (exists(path)) return path;
  return std::nullopt;
}

} // namespace

std::vector<std::pair<std::string, std::string>> process_environment() {
  std::vector<std::pair<std::string, std::string>> result;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto equals = text.find('=');
    if (text.starts_with("ROOST_") && equals != std::string::npos)
      result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

loaded load(const options& options) {
  findings findings;
  reader reader(findings);
  reader.apply(default_assignments(findings));
  const auto defaults = reader.values().scheduler;
  if (const auto file = chosen_file(options, findings)) reader.apply(file_assignments(*file, findings));
  reader.apply(environment_assignments(options.environment, reader.known_names(), findings));
  reader.apply(set_assignments(options.set, findings));
  auto result = reader.finish();
  result.idle = idle_settings(result.values.scheduler, defaults);
  return result;
}

} // namespace roost::config
