#pragma once

#include "listings/house.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace roost::listings {

/// Expects a listing to equal tests/golden/NAME.json, ignoring white space. If ROOST_GOLDEN_OUTPUT is set, as
/// by script/golden, the listing is written below that folder instead.
inline void expect_golden(const std::string& name, const std::string& listing) {
  namespace fs = std::filesystem;
  if (const char* output = std::getenv("ROOST_GOLDEN_OUTPUT")) {
    const auto path = fs::path{output} / (name + ".json");
    fs::create_directories(path.parent_path());
    std::ofstream{path} << listing;
    return;
  }
  std::ifstream file{fs::path{ROOST_SOURCE_DIR} / "tests/golden" / (name + ".json")};
  EXPECT_TRUE(file) << "no golden file " << name;
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(listing, compact(text.str())) << name;
}

} // namespace roost::listings
