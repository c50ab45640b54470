#pragma once

#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::testing {

/// The message of the 400 that reading a body ends with; empty when it was good.
template <typename Parse>
std::string refusal_of(Parse parse, std::string body) {
  try {
    parse(body);
    return "";
  } catch (const error& refused) {
    EXPECT_EQ(refused.status, 400U);
    EXPECT_EQ(refused.name, "BadRequestException");
    return refused.message;
  }
}

} // namespace roost::http::testing
