#include "http/pages/new_password.hpp"

#include "http/json/object_reader.hpp"

namespace roost::http {

std::string refusal_of_password(std::string_view password) {
  constexpr std::size_t shortest = 6;
  if (length_of(password) < shortest) return "The new password must have at least 6 characters.";
  return {};
}

response after_new_password(const pages_api& api) {
  auto answer = api.to_sign_in("password-changed");
  api.cookies.refresh.clear(answer);
  api.cookies.remembered.clear(answer);
  api.guard.forget(answer);
  return answer;
}

} // namespace roost::http
