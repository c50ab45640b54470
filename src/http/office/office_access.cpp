#include "domain/uuid.hpp"
#include "http/office/office_api.hpp"

namespace roost::http {

entry_rule office_checks(const office_services& services, std::string_view permission) {
  return management_checks(*services.management, permission);
}

store::office_scope scope_of(const request& req) {
  const auto& user = *caller_of(req).user;
  return {user.account_id, user.owner_id};
}

store::office_author author_of(const office_services& services, const request& req, std::string action,
                               std::string subject, std::string detail) {
  const auto& user = *caller_of(req).user;
  const auto now = services.management->now();
  return {user.email,
          now,
          {services.new_id(), now, "user " + user.email, std::move(action), std::move(subject),
           std::move(detail)}};
}

std::optional<domain::uuid> id_in_path(const request& req, std::size_t parameter) {
  return domain::parse_uuid(req.parameters.at(parameter));
}

} // namespace roost::http
