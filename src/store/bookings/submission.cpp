#include "store/bookings/submission.hpp"

namespace roost::store {

namespace {

/// Writes values with their lengths, so that no two lists of values have the same text.
class value_writer {
public:
  void add(std::string_view value) {
    text_.append(std::to_string(value.size())).append(1, ':').append(value);
  }
  void add(const std::optional<std::string>& value) { value ? add(std::string_view(*value)) : add_missing(); }
  void add(const std::optional<domain::money>& value) {
    value ? add(std::string_view(std::to_string(value->cents))) : add_missing();
  }

  std::string take() { return std::move(text_); }

private:
  void add_missing() { text_ += '-'; }

  std::string text_ = "1;"; // the version of this format, because digests of the text are stored
};

} // namespace

std::string canonical_text(const domain::booking_request& submission) {
  value_writer text;
  text.add(std::string_view(submission.platform));
  text.add(submission.reference);
  text.add(std::string_view(submission.external_id));
  text.add(std::string_view(domain::to_string(submission.check_in)));
  text.add(std::string_view(domain::to_string(submission.check_out)));
  text.add(std::string_view(std::to_string(submission.occupants)));
  text.add(submission.provider_payment);
  text.add(submission.ota_commission);
  const auto& tenant = submission.tenant;
  text.add(std::string_view(tenant.first_name));
  text.add(tenant.last_name);
  text.add(std::string_view(tenant.email));
  text.add(tenant.fiscal_id);
  text.add(tenant.phone);
  text.add(tenant.nationality);
  return text.take();
}

} // namespace roost::store
