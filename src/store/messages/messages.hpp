#pragma once

#include "domain/booking.hpp"
#include "store/database/bulk.hpp"

namespace roost::store {

/// What a landlord is told, in the app and by mail; it is inserted in the transaction of what it is about.
class message_rows {
public:
  message_rows();

  void add(const domain::notification& told);

  /// Due at once.
  void add(const domain::outgoing_mail& sent);

private:
  friend void insert(session& db, const message_rows& messages);

  bulk_rows<domain::notification> notifications_;
  bulk_rows<domain::outgoing_mail> mails_;
};

void insert(session& db, const message_rows& messages);

} // namespace roost::store
