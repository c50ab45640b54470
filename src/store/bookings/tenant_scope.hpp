#pragma once

#include <string>

namespace roost::store {

/// The condition of a tenant `t` of the account with a stay in a property of the owner; an empty owner stands
/// for the whole account.
inline const std::string tenant_in_scope =
    "t.account_id = :account and (:owner = '' or t.id in (select k.tenant_id from units u"
    " join properties p on p.id = u.property_id"
    " join bookings k on k.account_id = u.account_id and k.unit_id = u.id"
    " where u.account_id = :account and cast(p.owner_id as text) = :owner))";

} // namespace roost::store
