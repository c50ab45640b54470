#include "store/columns/tenant_row.hpp"

namespace roost::store {

domain::tenant_details read_tenant_details(row& from) {
  domain::tenant_details details;
  details.first_name = from.text();
  details.last_name = from.optional_text();
  details.email = from.text();
  details.fiscal_id = from.optional_text();
  details.phone = from.optional_text();
  details.nationality = from.optional_text();
  return details;
}

} // namespace roost::store
