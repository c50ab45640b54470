#include "store/decisions.hpp"

#include "store/bulk.hpp"
#include "store/messages.hpp"
#include "store/terms_column.hpp"
#include "store/transaction.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// Moves New requests only; the moment is the database's, as no decision brings one.
constexpr query decide_requests{
    "decide_requests",
    "update booking_requests t set state = r.state, refusal = r.refusal, decided_at = {now}"
    " from unnest(:ids::uuid[], :states::text[], :refusals::text[]) as r(id, state, refusal)"
    " where t.id = r.id and t.state = 'New'",
    0,
    "update booking_requests set state = :state, refusal = :refusal, decided_at = {now}"
    " where id = :id and state = 'New'"};

const bulk_table tenant_rows{"tenants",
                             {{"id", "uuid", column_role::key},
                              {"account_id", "uuid"},
                              {"first_name", "text"},
                              {"last_name", "text"},
                              {"email", "text"},
                              {"fiscal_id", "text"},
                              {"phone", "text"},
                              {"nationality", "text"},
                              {"category", "text"},
                              {"created_at", "timestamptz"}}};

const bulk_table booking_rows{"bookings",
                              {{"id", "uuid", column_role::key},
                               {"request_id", "uuid"},
                               {"account_id", "uuid"},
                               {"unit_id", "uuid"},
                               {"tenant_id", "uuid"},
                               {"platform", "text"},
                               {"reference", "text"},
                               {"check_in", "date"},
                               {"check_out", "date"},
                               {"last_night", "date"},
                               {"occupants", "integer"},
                               {"status", "text"},
                               {"provider_payment_cents", "bigint"},
                               {"ota_commission_cents", "bigint"},
                               {"terms", "jsonb"},
                               {"created_at", "timestamptz"},
                               {"updated_at", "timestamptz"}}};

/// Somebody may have been given one meanwhile.
constexpr query set_category{"set_category",
                             "update tenants set category = :category"
                             " where account_id = :account and id = :id and category is null"};

constexpr query add_total{"add_total",
                          "update request_totals set total = total + :more where state = :state"};

constexpr query check_in_due{"check_in_due",
                             "update bookings set status = 'checked_in', updated_at = {now} where id in"
                             " (select id from bookings where status = 'confirmed' and check_in <= :today "
                             "order by check_in limit :most)"};
constexpr query check_out_due{"check_out_due",
                              "update bookings set status = 'checked_out', updated_at = {now} where id in"
                              " (select id from bookings where status = 'checked_in' and check_out <= :today "
                              "order by check_out limit :most)"};

void insert_tenants(session& on, std::span<const domain::decision> decisions) {
  bulk_writer rows(on, tenant_rows, bulk_mode::insert);
  for (const auto& each : decisions) {
    if (!each.new_tenant || !each.booking) continue;
    const auto& t = *each.new_tenant;
    rows.add(t.id, t.account_id, t.details.first_name, t.details.last_name, t.details.email,
             t.details.fiscal_id, t.details.phone, t.details.nationality, t.category,
             each.booking->created_at);
  }
  rows.finish();
}

void insert_bookings(session& on, std::span<const domain::decision> decisions) {
  bulk_writer bookings(on, booking_rows, bulk_mode::insert);
  for (const auto& each : decisions) {
    if (!each.booking) continue;
    const auto& b = *each.booking;
    bookings.add(b.id, b.request_id, b.account_id, b.unit_id, b.tenant_id, b.platform, b.reference,
                 b.check_in, b.check_out, b.last_night, b.occupants, domain::to_string(b.status),
                 b.provider_payment, b.ota_commission, json_of(*b.terms), b.created_at, b.created_at);
  }
  bookings.finish();
}

void insert_messages(session& on, std::span<const domain::decision> decisions) {
  message_writer messages(on);
  for (const auto& each : decisions) {
    for (const auto& told : each.notifications) messages.add(told);
    for (const auto& sent : each.mails) messages.add(sent);
  }
  messages.finish();
}

void set_categories(session& on, std::span<const domain::decision> decisions) {
  for (const auto& each : decisions)
    if (each.tenant_category && each.booking)
      on.internals().write(set_category, {{"category", to_cell(*each.tenant_category)},
                                          {"account", to_cell(each.booking->account_id)},
                                          {"id", to_cell(each.booking->tenant_id)}});
}

/// Throws already_decided unless every one of them was New.
void decide(session& on, std::span<const domain::decision> decisions) {
  auto& connection = on.internals();
  std::int64_t moved = 0;
  if (connection.dialect() == dialect::postgresql) {
    array_literal ids, states, refusals;
    for (const auto& each : decisions) {
      ids.add(to_cell(each.request_id));
      states.add(to_cell(domain::to_string(each.state)));
      refusals.add(each.why ? to_cell(domain::to_string(*each.why)) : cell{});
    }
    moved = connection.write(
        decide_requests,
        {{"ids", ids.finish()}, {"states", states.finish()}, {"refusals", refusals.finish()}});
  } else {
    for (const auto& each : decisions)
      moved += connection.write(decide_requests,
                                {{"id", to_cell(each.request_id)},
                                 {"state", to_cell(domain::to_string(each.state))},
                                 {"refusal", each.why ? to_cell(domain::to_string(*each.why)) : cell{}}});
  }
  if (moved != static_cast<std::int64_t>(decisions.size())) throw already_decided();
}

void count_decided(session& on, std::span<const domain::decision> decisions) {
  for (const auto state :
       {domain::request_state::success, domain::request_state::failed, domain::request_state::dropped}) {
    const auto more = std::ranges::count(decisions, state, &domain::decision::state);
    if (more > 0)
      on.internals().write(add_total,
                           {{"more", to_cell(more)}, {"state", to_cell(domain::to_string(state))}});
  }
}

} // namespace

void record_decisions(session& on, const lease& held, std::int64_t portfolio_version,
                      std::span<const domain::decision> decisions) {
  if (decisions.empty()) return;
  write_transaction within(on, held, portfolio_version);
  decide(on, decisions);
  insert_tenants(on, decisions);
  set_categories(on, decisions);
  insert_bookings(on, decisions);
  insert_messages(on, decisions);
  count_decided(on, decisions);
  within.commit();
}

stays_advanced advance_stays(session& on, const lease& held, domain::date today, std::size_t limit) {
  write_transaction within(on, held);
  const parameters with{{"today", to_cell(today)}, {"most", to_cell(limit)}};
  stays_advanced advanced;
  advanced.checked_in = on.internals().write(check_in_due, with);
  advanced.checked_out = on.internals().write(check_out_due, with);
  within.commit();
  return advanced;
}

} // namespace roost::store
