#include "requests.hpp"

namespace roost::contention {

domain::uuid numbered_id(id_kind kind, std::uint64_t number) {
  domain::uuid id{};
  id.data[0] = static_cast<std::uint8_t>(kind);
  id.data[6] = 0x40;
  id.data[8] = 0x80;
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
