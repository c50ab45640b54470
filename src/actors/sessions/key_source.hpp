#pragma once

#include "fetch/https_get.hpp"

#include <functional>
#include <optional>
#include <string>

namespace roost::actors {

/// Reads an issuer's keys; blocks. Throws std::runtime_error with one line when they cannot be had.
using key_source = std::function<std::string()>;

/// The operator names the issuer, which may be a host of the same network.
inline fetch::fetch_limits key_source_limits() {
  return {.time = std::chrono::seconds{5}, .bytes = std::size_t{256} * 1024, .private_addresses = true};
}

/// Reads a file of `limits.bytes` at most, or an https URL.
key_source key_source_at(std::string place, fetch::fetch_limits limits = key_source_limits());

/// Why no keys can be had from the source now; nothing: they can. Blocks.
std::optional<std::string> fault_of(const key_source& source);

} // namespace roost::actors
