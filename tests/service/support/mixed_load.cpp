#include "service/support/mixed_load.hpp"

#include "service/support/partner.hpp"
#include "service/support/random_reference.hpp"

#include <array>
#include <chrono>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;
using what = told::what;

constexpr auto answer_patience = 15s;
constexpr auto pause = 2ms;

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// Where a platform's request goes, and what it says.
struct call {
  std::string method, path, body;
  header_fields fields = {};
};

std::string unit_name(const told& of) { return "u" + std::to_string(of.unit); }

call to_submission(const told& of) {
  return {
      "POST", "/" + of.platform + "/bookings",
      R"({"checkInDate":")" + domain::to_string(of.check_in) + R"(","checkOutDate":")" +
          domain::to_string(of.check_out) + R"(","externalId":")" + unit_name(of) + R"(","bookingId":")" +
          of.reference +
          R"(","platformProviderPaymentValue":650,"tenant":{"firstName":"Eva","email":"eva@tenant.example"}})"};
}

call to_event(const told& of) {
  const bool paid = of.kind == what::paid;
  const auto unit = quoted(unit_name(of)), reference = quoted(of.reference);
  const auto check_in = quoted(domain::to_string(of.check_in)),
             check_out = quoted(domain::to_string(of.check_out));
  if (of.platform == "marketplace-a")
    return {"POST", "/marketplace-a/webhook",
            std::string{R"({"event":)"} + (paid ? R"("booking-paid")" : R"("booking-cancelled")") +
                R"(,"offer_api_reference":)" + unit + R"(,"booking_id":)" + reference +
                R"(,"move_in_date":)" + check_in + R"(,"move_out_date":)" + check_out +
                R"(,"contract_price_amount":65000})"};
  return {"POST", "/marketplace-b/casa-verde/webhook",
          std::string{R"({"notification_type":)"} + (paid ? R"("booking_paid")" : R"("booking_cancelled")") +
              R"(,"listing_external_reference":)" + unit + R"(,"booking_uuid":)" + reference +
              R"(,"booking_start_date":)" + check_in + R"(,"booking_end_date":)" + check_out +
              R"(,"booking_price":"65000"})"};
}

call to_edit(const told& of) {
  return {"PUT", "/booking-engine/listing",
          R"({"externalId":")" + unit_name(of) + R"(","isRentFixed":true,"rent":)" + std::to_string(of.rent) +
              R"(,"rentsPerMonth":[],"minStayPeriod":0,"maxStayPeriod":0,"extraPricePerTenant":0,)"
              R"("availableFrom":"2027-01-01","capacity":2,"cleaningFeeValue":0,"billsIncludedMaxValue":0,)"
              R"("adminFeeValue":0,"depositValue":0,"landlordEmail":"a@b.example","unavailabilities":[]})"};
}

call to_property(const told& of, const std::string& key) {
  const auto room = [&](int number, const std::string& name) {
    return R"({"id":)" + std::to_string(number) + R"(,"accommodation":"rooms","internalName":)" +
           quoted(name) + R"(,"rent":500,"fixedRent":true})";
  };
  return {"POST",
          "/booking-engine/property-listing",
          R"({"id":)" + quoted(of.reference) + R"(,"address":"Rua 1","rooms":[)" +
              room(1, of.reference + " one") + "," + room(2, of.reference + (of.spoilt ? " one" : " two")) +
              "]}",
          {{"svc-api-key", key}}};
}

} // namespace

std::string to_string(told::what kind) {
  switch (kind) {
  case what::submission:
    return "submission";
  case what::paid:
    return "paid event";
  case what::cancel:
    return "cancel event";
  case what::edit:
    return "listing update";
  case what::property:
    return "new property";
  }
  return "";
}

class mixed_load::client {
public:
  client(mixed_load& of, unsigned number)
      : load_(of), number_(number), random_{of.settings_.seed * 1'000 + number} {}

  void run() {
    while (!load_.over_) {
      if (const std::uint16_t port = load_.port_) tell(port, next());
      std::this_thread::sleep_for(pause);
    }
  }

private:
  int between(int least, int greatest) {
    return std::uniform_int_distribution<int>{least, greatest}(random_);
  }

  told next() {
    const int choice = between(1, 100);
    if (choice <= 12 && !booked_.empty()) return any_booked(); // again
    if (choice <= 30 && !booked_.empty()) {
      auto cancel = any_booked();
      cancel.kind = what::cancel;
      if (cancel.platform == "marketplace-a" || cancel.platform == "marketplace-b") return cancel;
    }
    if (choice <= 38) return new_edit();
    if (choice <= 42) return new_property();
    return new_booking();
  }

  told any_booked() {
    return booked_[static_cast<std::size_t>(between(0, static_cast<int>(booked_.size()) - 1))];
  }

  told new_booking() {
    constexpr std::array platforms{"marketplace-a", "marketplace-b",  "marketplace-c",
                                   "marketplace-d", "booking-engine", "channel-manager"};
    constexpr int horizon = 1'500, shortest_long_stay = 25, longest_stay = 70;
    told booking;
    booking.platform = platforms[static_cast<std::size_t>(between(0, platforms.size() - 1))];
    const bool has_webhook = booking.platform == "marketplace-a" || booking.platform == "marketplace-b";
    booking.kind = has_webhook && between(0, 2) > 0 ? what::paid : what::submission;
    booking.unit = static_cast<unsigned>(between(1, static_cast<int>(load_.settings_.units)));
    booking.check_in = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) +
                       domain::days{between(2, horizon)};
    booking.check_out =
        booking.check_in +
        domain::days{between(0, 4) ? between(1, 5) : between(shortest_long_stay, longest_stay)};
    booking.reference = random_reference(random_);
    booked_.push_back(booking);
    return booking;
  }

  told new_edit() {
    told edit;
    edit.kind = what::edit;
    edit.platform = "booking-engine";
    edit.unit = static_cast<unsigned>(between(1, static_cast<int>(load_.settings_.units)));
    edit.rent = between(600, 900);
    return edit;
  }

  told new_property() {
    told property;
    property.kind = what::property;
    property.platform = "booking-engine";
    property.reference = "p" + std::to_string(number_) + "-" + std::to_string(++properties_);
    property.spoilt = between(0, 2) == 0;
    return property;
  }

  call to_call(const told& of) const {
    switch (of.kind) {
    case what::submission:
      return to_submission(of);
    case what::edit:
      return to_edit(of);
    case what::property:
      return to_property(of, load_.settings_.account_key);
    default:
      return to_event(of);
    }
  }

  /// What nobody took was not told.
  void tell(std::uint16_t port, told event) {
    try {
      raw_client connection(port);
      auto [method, path, body, fields] = to_call(event);
      fields.emplace_back("Authorization", "Bearer " + load_.settings_.tokens.at(event.platform));
      fields.emplace_back("Content-Type", "application/json");
      connection.send(to_request(method, path, fields, body));
      event.got = connection.receive(false, answer_patience);
    } catch (const std::runtime_error&) { // nobody listens
      return;
    }
    if (event.succeeded()) ++load_.succeeded_;
    const std::lock_guard lock(load_.mutex_);
    load_.told_.push_back(std::move(event));
  }

  mixed_load& load_;
  unsigned number_;
  std::mt19937 random_;
  std::vector<told> booked_;
  int properties_ = 0;
};

mixed_load::mixed_load(mixed_settings settings) : settings_(std::move(settings)) {
  for (unsigned i = 0; i < settings_.clients; ++i)
    threads_.emplace_back([this, i] { client(*this, i).run(); });
}

mixed_load::~mixed_load() { finish(); }

std::vector<told> mixed_load::finish() {
  over_ = true;
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  return told_;
}

} // namespace roost::testing
