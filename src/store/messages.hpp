#pragma once

#include "domain/booking.hpp"
#include "store/bulk.hpp"

namespace roost::store {

/// Writes what a landlord is told, in the app and by mail, in the transaction of what it is about.
class message_writer {
public:
  explicit message_writer(session& on);

  void add(const domain::notification& told);

  /// Due at once.
  void add(const domain::outgoing_mail& sent);

  void finish();

private:
  bulk_writer notifications_, mails_;
};

} // namespace roost::store
