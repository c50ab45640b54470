#pragma once

#include <chrono>
#include <string>

namespace roost::http {

/// What the certificates of a listener say of themselves: the listener's own and those of its chain, of which
/// each has to be good for a client to accept the first.
struct certificate_facts {
  std::string file;
  std::string
      names; ///< the hosts and addresses of the first one, with commas; its subject where it names none
  std::string sha256; ///< of all of them, in hexadecimal digits: another one is another certificate
  std::chrono::sys_seconds from;  ///< when the last of them begins
  std::chrono::sys_seconds until; ///< when the first of them ends

  bool operator==(const certificate_facts&) const = default;
};

} // namespace roost::http
