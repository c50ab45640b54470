#pragma once

#include "domain/booking.hpp"
#include "store/database/columns.hpp"

namespace roost::store {

inline constexpr auto notification_columns = columns(
    column("id", &domain::notification::id).key(), column("account_id", &domain::notification::account_id),
    column("kind", &domain::notification::kind), column("title", &domain::notification::title),
    column("body", &domain::notification::body), column("booking_id", &domain::notification::booking_id),
    column("request_id", &domain::notification::request_id),
    column("created_at", &domain::notification::created_at));

inline constexpr auto mail_columns = columns(
    column("id", &domain::outgoing_mail::id).key(), column("recipient", &domain::outgoing_mail::to),
    column("subject", &domain::outgoing_mail::subject), column("text_body", &domain::outgoing_mail::text),
    column("html_body", &domain::outgoing_mail::html),
    column("created_at", &domain::outgoing_mail::created_at),
    column("confidential", &domain::outgoing_mail::confidential),
    column("gathered_for", &domain::outgoing_mail::gathered_for));

} // namespace roost::store
