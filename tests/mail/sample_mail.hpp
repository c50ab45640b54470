#pragma once

#include "domain/booking.hpp"

namespace roost::mail {

inline domain::outgoing_mail sample_mail() {
  return {.id = domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10").value(),
          .to = "landlord@casa-sol.example",
          .subject = "Booking refused: Room 2",
          .text = "Hello,\nnothing was booked.\n",
          .html = "<p>Hello,</p>\n<p>nothing was booked.</p>\n",
          .created_at = domain::parse_timestamp("2026-11-20T09:30:00.123Z").value()};
}

inline constexpr const char* sample_sender = "no-reply@roost.example";

} // namespace roost::mail
