#include "simulation/clients/office_client.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace roost::testing {

using namespace std::chrono_literals;

office_client::office_client(history& in, std::string name, std::shared_ptr<known_user> user,
                             std::string listing_token, unsigned units, unsigned first_unit)
    : user_client(in, std::move(name), std::move(user)), units_(units), first_unit_(first_unit),
      listing_token_(std::move(listing_token)) {}

client_task<> office_client::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, max_pause_));
    if (session_)
      co_await act_once();
    else
      session_ = co_await sign_in(0);
  }
  if (!session_) session_ = co_await sign_in(0);
  if (session_) co_await verify();
  --user_->clients;
}

void office_client::forget() {
  user_client::forget();
  session_.reset();
}

client_task<simulated_response> office_client::ask_office(std::string purpose, std::string method,
                                                          std::string path, std::string body,
                                                          std::string if_match) {
  http_call call{std::move(method), std::move(path), std::move(body), {}};
  call.fields.emplace_back("Authorization", "Bearer " + session_->access_token);
  if (!call.body.empty()) call.fields.emplace_back("Content-Type", "application/json");
  if (!if_match.empty()) call.fields.emplace_back("If-Match", if_match);
  auto response = co_await ask(std::move(purpose), std::move(call));
  if (is_signed_out(response)) session_.reset();
  co_return response;
}

client_task<simulated_response> office_client::ask_listing(std::string purpose, unsigned unit) {
  http_call call{"GET", "/channel-manager/listings/u" + std::to_string(unit), "", {}};
  call.fields.emplace_back("Authorization", "Bearer " + listing_token_);
  co_return co_await ask(std::move(purpose), std::move(call));
}

std::string office_client::random_id(const char* first_digits) {
  std::array<char, 40> id{};
  std::snprintf(id.data(), id.size(), "%s-0000-4000-8000-%012llx", first_digits,
                static_cast<unsigned long long>(history_.random() >> 16U));
  return id.data();
}

} // namespace roost::testing
