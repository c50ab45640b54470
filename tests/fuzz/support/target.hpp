#pragma once

#include <string_view>
#include <vector>

/// Fuzz targets: functions that check properties of the code for any input. script/fuzz searches for inputs
/// that violate them; the tests replay the corpora.
namespace roost::fuzz {

/// Thrown for an input that violates a property. Not a std::exception, so that a target cannot mistake it for
/// an error of the code under test.
struct violation {
  std::string_view property; ///< what should hold; a literal
};

/// Throws violation unless `holds`.
inline void require(bool holds, std::string_view property) {
  if (!holds) throw violation{property};
}

/// A target. Its file registers it:
///
///     const target registered{"cookies", "FindsTheSameCookieInAnyOrder", check};
struct target {
  /// Registers the target. `check` throws violation, or any other exception, to report an input.
  target(std::string_view name, std::string_view sentence, void (*check)(std::string_view input));

  std::string_view name;     ///< the name of its file and of its folder in tests/fuzz/corpora
  std::string_view sentence; ///< the name of its test, FuzzCorpus.…
  void (*check)(std::string_view input);
};

/// Returns all targets of the program.
std::vector<target>& targets();

} // namespace roost::fuzz
