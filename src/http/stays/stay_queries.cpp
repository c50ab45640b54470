#include "http/stays/stay_queries.hpp"

#include "http/access/access.hpp"

namespace roost::http {

bool may_see_tenants(const office_services& services, const request& req) {
  return has_permission(services.management->roles, caller_of(req).user->role, "tenants.view");
}

std::optional<store::moment_place> read_moment_place(query_reader& query) {
  constexpr std::size_t texts_of_place = 2; // a time and an id
  const auto texts = read_cursor(query, texts_of_place);
  if (!texts) return std::nullopt;
  const auto at = domain::parse_timestamp(texts->front());
  const auto id = domain::parse_uuid(texts->back());
  if (!at || !id) return refuse_cursor(query);
  return store::moment_place{*at, *id};
}

std::string cursor_after(const store::moment_place& last) {
  return cursor_of({domain::to_string(last.at), domain::to_string(last.id)});
}

std::optional<domain::uuid> parse_id(std::string_view text) { return domain::parse_uuid(text); }

} // namespace roost::http
