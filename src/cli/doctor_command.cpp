#include "cli/commands.hpp"
#include "cli/doctor_examinations.hpp"

namespace roost::cli {

int examine(const common_options& common) {
  findings found(common.format);
  try {
    const auto configuration = load_configuration(common);
    found.fine("configuration", "it is in order; `roost config` prints it");
    for (const auto& [key, reason] : configuration.idle)
      found.warn("configuration", std::string(key).append(" does nothing: ").append(reason), "Leave it out");
    examine_surroundings(found, configuration.values);
    const auto secrets = examine_secrets(found, configuration.values);
    examine_store(found, configuration.values, secrets);
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems())
      found.wrong("configuration", config::to_string(problem), "Correct it where the line says it came from");
  }
  return found.is_well() ? 0 : 1;
}

} // namespace roost::cli
