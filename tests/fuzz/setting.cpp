#include "config/text.hpp"
#include "fuzz/support/configurations.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// Settings in the environment and on the command line, one per line: `ROOST_SECTION_KEY=value` or
/// `section.key=value`.
namespace roost::fuzz::setting {
namespace {

void check_texts(std::string_view text) {
  if (const auto duration = config::parse_duration(text)) {
    require(duration->count() >= 0 && *duration <= config::max_duration, "a duration is limited");
    const auto written = config::parse_duration(config::duration_text(*duration));
    require(written && *written <= *duration && *duration - *written < std::chrono::microseconds{1},
            "a written duration is read as the same");
  }
  require(config::masked(config::masked(text)) == config::masked(text), "a masked text is masked");
}

void check(std::string_view input) {
  config::options options;
  options.search.clear();
  while (!input.empty() && options.set.size() + options.environment.size() < 20) {
    const std::string line{take_line(input)};
    check_texts(line);
    const auto equals = line.find('=');
    // The system's variables hold no NUL.
    if (line.starts_with("ROOST_") && equals != std::string::npos && line.find('\0') == std::string::npos)
      options.environment.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    else
      options.set.push_back(line);
  }
  if (const auto loaded = load_configuration(options)) check_description(*loaded);
}

const target registered{"setting", "SettingsOutsideOfFilesAreLoadedAsTheSame", check};

} // namespace
} // namespace roost::fuzz::setting
