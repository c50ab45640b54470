#include "config/load.hpp"

#include "config/reader.hpp"

#include <algorithm>
#include <string_view>
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

/// Returns the keys of [scheduler] that differ from their defaults but are not used by the chosen policy.
std::vector<idle_setting> idle_settings(const scheduler_settings& chosen,
                                        const scheduler_settings& defaults) {
  using part = scheduler_settings;
  std::vector<idle_setting> idle;
  const auto check = [&](std::string_view key, auto part::*member, std::string_view reason) {
    if (chosen.*member != defaults.*member)
      idle.push_back({"scheduler." + std::string(key), std::string(reason)});
  };
  if (chosen.policy == scheduler_policy::stealing) return idle;
  if (chosen.policy == scheduler_policy::asio)
    check("max_threads", &part::max_threads, "policy asio runs actors on server.io_threads");
  const std::string_view reason = "only policy stealing uses it";
  check("aggressive_poll_attempts", &part::aggressive_poll_attempts, reason);
  check("aggressive_steal_interval", &part::aggressive_steal_interval, reason);
  check("moderate_poll_attempts", &part::moderate_poll_attempts, reason);
  check("moderate_steal_interval", &part::moderate_steal_interval, reason);
  check("moderate_sleep_duration", &part::moderate_sleep_duration, reason);
  check("relaxed_steal_interval", &part::relaxed_steal_interval, reason);
  check("relaxed_sleep_duration", &part::relaxed_sleep_duration, reason);
  return idle;
}

/// Whether a section has no fixed keys; such sections are compared as a whole.
bool is_list(const std::string& header) { return header.starts_with("[[") || header == "[roles]"; }

std::string name_of(const std::string& header) {
  const auto begin = header.find_first_not_of('[');
  return header.substr(begin, header.find(']') - begin);
}

/// Returns the values by key. A list is one value.
std::map<std::string, std::string> values_of(const loaded& configuration) {
  std::map<std::string, std::string> values;
  for (const auto& section : configuration.sections) {
    const auto name = name_of(section.header);
    for (const auto& each : section.values) {
      if (is_list(section.header))
        values[name] += each.key + '=' + each.value + '\n';
      else
        values[name + '.' + each.key] = each.value;
    }
    if (is_list(section.header)) values[name] += '\n';
  }
  return values;
}

/// Whether two values differ although their masked texts are equal.
bool differs_in_secret(const std::string& key, const settings& before, const settings& now) {
  if (key == "store.url") return before.store.url != now.store.url;
  if (key == "mail.transport") return before.mail.transport != now.mail.transport;
  return false;
}

} // namespace

std::vector<std::pair<std::string, std::string>> process_environment() {
  std::vector<std::pair<std::string, std::string>> result;
  for (char** variable = environ; variable && *variable; ++variable) { // clearenv() leaves a null pointer
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

std::string describe(const loaded& loaded) {
  std::string text;
  for (const auto& section : loaded.sections) {
    if (!text.empty()) text += '\n';
    text += section.header + '\n';
    for (const auto& value : section.values) {
      if (!value.help.empty()) text += "# " + value.help + '\n';
      text += value.key + " = " + value.value + "  # from " + value.origin;
      const auto key = section.header.substr(1, section.header.size() - 2) + '.' + value.key;
      const auto idle = std::ranges::find(loaded.idle, key, &idle_setting::key);
      if (idle != loaded.idle.end()) text += "; has no effect: " + idle->reason;
      text += '\n';
    }
  }
  return text;
}

std::vector<changed_value> changes_between(const loaded& before, const loaded& now) {
  std::vector<changed_value> changes;
  auto earlier = values_of(before);
  const auto later = values_of(now);
  for (const auto& [key, value] : later) earlier.try_emplace(key);
  for (const auto& [key, old_value] : earlier) {
    const auto entry = later.find(key);
    const auto value = entry == later.end() ? std::string{} : entry->second;
    if (value == old_value && !differs_in_secret(key, before.values, now.values)) continue;
    const bool is_whole = key.find('.') == std::string::npos;
    changes.push_back({key, is_whole ? "" : old_value, is_whole ? "" : value});
  }
  return changes;
}

} // namespace roost::config
