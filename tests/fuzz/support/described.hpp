#pragma once

#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Texts of values, so that two results can be compared.
namespace roost::fuzz {

/// A text of several values, each with its length, so that different values have different texts.
class description {
public:
  description& add(std::string_view text) {
    text_.append(std::to_string(text.size())).append(1, ':').append(text);
    return *this;
  }
  description& add(const std::string& text) { return add(std::string_view{text}); }
  description& add(const char* text) { return add(std::string_view{text}); }
  description& add(bool flag) { return add(flag ? "yes" : "no"); }
  description& add(int number) { return add(std::to_string(number)); }
  description& add(std::size_t number) { return add(std::to_string(number)); }
  description& add(double number) { return add(std::to_string(number)); }
  description& add(domain::money amount) { return add(std::to_string(amount.cents)); }
  description& add(domain::date day) { return add(std::to_string(day.time_since_epoch().count())); }
  description& add(domain::timestamp moment) {
    return add(std::to_string(moment.time_since_epoch().count()));
  }
  description& add(const domain::uuid& id) { return add(domain::to_string(id)); }
  description& add(const domain::tenant_details& tenant) {
    return add(tenant.first_name)
        .add(tenant.last_name)
        .add(tenant.email)
        .add(tenant.fiscal_id)
        .add(tenant.phone)
        .add(tenant.nationality);
  }
  template <typename T>
  description& add(const std::optional<T>& value) {
    return value ? add("+").add(*value) : add("-");
  }

  std::string take() { return std::move(text_); }

private:
  std::string text_;
};

} // namespace roost::fuzz
