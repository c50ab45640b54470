#pragma once

#include <string>

/// The account that an operator imports again and again, while a member of its office blocks nights.
namespace roost::testing::imported_account {

/// Its units follow those that platforms book: unit_id() has their ids.
inline constexpr unsigned first_unit = 41, units = 4;
inline constexpr const char *email = "eva@versions.example", *password = "eva-only";

/// Returns a portfolio file with the account, whose units all have the rent of this version. Only version 0
/// has the user's password, which later imports keep.
std::string file_of(int version);

/// Returns the version whose rent a listing shows.
int version_of(const std::string& listing);

} // namespace roost::testing::imported_account
