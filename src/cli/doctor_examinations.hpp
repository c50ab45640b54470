#pragma once

#include "cli/doctor_findings.hpp"
#include "config/settings.hpp"
#include "security/secrets.hpp"

#include <filesystem>
#include <optional>
#include <string>

/// The parts of `roost doctor`.
namespace roost::cli {

/// So long before its end a certificate or a token is warned of.
inline constexpr std::chrono::days ends_soon{21};

/// Addresses, certificate, limits of the system, where mail goes.
void examine_surroundings(findings& found, const config::settings& settings);

/// Returns what secrets.file holds, where it can be read.
std::optional<security::secrets> examine_secrets(findings& found, const config::settings& settings);

/// The store and everything that it tells. `secrets` are those of secrets.file.
void examine_store(findings& found, const config::settings& settings,
                   const std::optional<security::secrets>& secrets);

/// How much room there is on the disk of a folder.
void examine_space(findings& found, const std::string& subject, const std::filesystem::path& folder);

} // namespace roost::cli
