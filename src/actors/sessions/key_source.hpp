#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace roost::actors {

/// Reads an issuer's keys; blocks. Throws std::runtime_error with one line when they cannot be had.
using key_source = std::function<std::string()>;

/// What reading an address is bound to.
struct key_source_limits {
  std::chrono::milliseconds time{5'000};
  std::size_t bytes = 256 * 1024;
  std::string trusted_certificates; ///< PEM file; empty: those of the system
};

/// Reads a file, or an https URL: with the server's certificate checked, and without following it elsewhere.
key_source key_source_at(std::string place, key_source_limits limits = {});

} // namespace roost::actors
