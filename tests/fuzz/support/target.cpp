#include "fuzz/support/target.hpp"

namespace roost::fuzz {

target::target(std::string_view target_name, std::string_view test_name, void (*function)(std::string_view))
    : name(target_name), sentence(test_name), check(function) {
  targets().push_back(*this);
}

std::vector<target>& targets() {
  static std::vector<target> all;
  return all;
}

} // namespace roost::fuzz
