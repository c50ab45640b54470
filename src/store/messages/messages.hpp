#pragma once

#include "domain/booking.hpp"
#include "store/database/bulk.hpp"

#include <chrono>

namespace roost::store {

/// How long the first mail of those that are gathered waits for the others.
inline constexpr std::chrono::hours mail_gathering{1};

/// A mail of the outbox, and when it may be sent.
struct new_mail {
  domain::outgoing_mail mail;
  domain::timestamp due_at{};
};

/// What a landlord is told, in the app and by mail; it is inserted in the transaction of what it is about.
class message_rows {
public:
  message_rows();

  void add(const domain::notification& told);

  /// Due at once, or when it has been gathered with others.
  void add(const domain::outgoing_mail& sent);

private:
  friend void insert(session& db, const message_rows& messages);

  bulk_rows<domain::notification> notifications_;
  bulk_rows<new_mail> mails_;
};

void insert(session& db, const message_rows& messages);

} // namespace roost::store
