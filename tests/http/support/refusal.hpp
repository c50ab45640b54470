#pragma once

#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::testing {

/// Returns the message of the 400 with which parsing a body fails; empty on success.
template <typename Parse>
std::string refusal_of(Parse parse, std::string body) {
  try {
    parse(body);
    return "";
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 400U);
    EXPECT_EQ(refusal.name, "BadRequestException");
    return refusal.message;
  }
}

} // namespace roost::http::testing
