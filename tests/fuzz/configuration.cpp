#include "fuzz/support/configurations.hpp"
#include "fuzz/support/memory_file.hpp"
#include "fuzz/support/target.hpp"

#include <string_view>

/// Configuration files.
namespace roost::fuzz::configuration {
namespace {

void check(std::string_view input) {
  static memory_file file;
  file.write(input);
  config::options options;
  options.file = file.path();
  if (const auto loaded = load_configuration(options)) check_description(*loaded);
}

const target registered{"configuration", "DescribedConfigurationsAreLoadedAsTheSame", check};

} // namespace
} // namespace roost::fuzz::configuration
