#include "requests.hpp"

namespace roost::contention {

namespace {

/// Steele, Lea and Flood's SplitMix64: ids must look random, for an index of ids that lie close together is
/// another one than that of a service.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

} // namespace

domain::uuid numbered_id(id_kind kind, std::uint64_t number) {
  domain::uuid id{};
  const auto high = mixed(number * 16 + static_cast<std::uint64_t>(kind));
  for (int i = 0; i < 8; ++i) id.data[i] = static_cast<std::uint8_t>(high >> (8 * i));
  id.data[6] = 0x40 | (id.data[6] & 0x0f);
  id.data[8] = 0x80;
  id.data[9] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 6; ++i) id.data[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::uint64_t number_of(const domain::uuid& id) {
  std::uint64_t number = 0;
  for (int i = 10; i < 16; ++i) number = number << 8 | id.data[i];
  return number;
}

std::string external_id(std::uint32_t unit) { return std::to_string(1'000'001 + unit); }

domain::booking_request request_of(const stay& wanted, domain::timestamp now) {
  const auto digits = std::to_string(wanted.number);
  domain::booking_request made;
  made.id = numbered_id(id_kind::request, wanted.number);
  made.platform = platform_name;
  made.external_id = external_id(wanted.unit);
  made.reference = domain::to_string(numbered_id(id_kind::reference, wanted.number));
  made.check_in = wanted.check_in;
  made.check_out = wanted.check_out;
  made.provider_payment = domain::money{65'050};
  made.ota_commission = domain::money{3'500};
  made.tenant = {.first_name = "Ada",
                 .last_name = "Marsh",
                 .email = "guest" + digits + "@guests.example",
                 .fiscal_id = "X" + digits + "L",
                 .phone = "+34 600 000 000",
                 .nationality = "GB"};
  made.received_at = now;
  return made;
}

} // namespace roost::contention
