#include "fuzz/support/target.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// Runs the only target of this program; libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto target = roost::fuzz::targets().front();
  try {
    target.check({reinterpret_cast<const char*>(data), size});
  } catch (const roost::fuzz::violation& violation) {
    std::fprintf(stderr, "%.*s: violated: %.*s\n", static_cast<int>(target.name.size()), target.name.data(),
                 static_cast<int>(violation.property.size()), violation.property.data());
    std::abort();
  }
  return 0;
}
