#pragma once

#include "domain/booking.hpp"
#include "workload.hpp"

#include <cstdint>
#include <string>

/// What is made of numbers alike by those who fill the store, who decide and who judge.
namespace roost::contention {

inline constexpr const char* platform_name = "marketplace-a";
inline constexpr std::uint32_t units_an_account = 100;

enum class id_kind : std::uint8_t { account = 1, property, unit, user, request, reference, booking };

/// The same id for the same number; a UUID of version 4 by its form.
domain::uuid numbered_id(id_kind kind, std::uint64_t number);
std::uint64_t number_of(const domain::uuid& id);

/// The unit's ID on the platform: as the benches' portfolios have it.
std::string external_id(std::uint32_t unit);

/// A guest of his own asks for the stay.
domain::booking_request request_of(const stay& wanted, domain::timestamp now);

} // namespace roost::contention
