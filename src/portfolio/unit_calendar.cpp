#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"
#include "portfolio/words.hpp"

namespace roost::portfolio {

namespace {

bool check_not_after(reader& in, domain::date earlier, domain::date later, std::string_view earlier_name,
                     std::string_view later_name) {
  if (earlier <= later) return true;
  return in.refuse_member(earlier_name, "must not be after " + std::string{later_name});
}

bool check_before(reader& in, domain::date earlier, domain::date later, std::string_view earlier_name,
                  std::string_view later_name) {
  if (earlier < later) return true;
  return in.refuse_member(earlier_name, "must be before " + std::string{later_name});
}

} // namespace

bool read_booking_window(reader& in, domain::booking_window& to) {
  if (!in.object({
          required("minStartDate", [&] { return read_date(in, to.min_start); }),
          required("maxStartDate", [&] { return read_date(in, to.max_start); }),
          required("minEndDate", [&] { return read_date(in, to.min_end); }),
          required("maxEndDate", [&] { return read_date(in, to.max_end); }),
      }))
    return false;
  const bool starts = check_not_after(in, to.min_start, to.max_start, "minStartDate", "maxStartDate");
  const bool ends = check_not_after(in, to.min_end, to.max_end, "minEndDate", "maxEndDate");
  if (!starts || !ends) return false;
  // The ranges may overlap, but the last check-in needs a check-out after it and the first check-out a
  // check-in before it.
  const bool first = check_before(in, to.min_start, to.min_end, "minStartDate", "minEndDate");
  const bool last = check_before(in, to.max_start, to.max_end, "maxStartDate", "maxEndDate");
  return first && last;
}

bool read_block(reader& in, file_scope& file, domain::block& to) {
  std::optional<domain::uuid> id;
  std::optional<domain::date> last;
  std::optional<std::string> host;
  const auto read_block_id = [&](domain::uuid& value) {
    return read_id(in, value) && file.unique.blocks.claim(in, value);
  };
  const auto read_last = [&](domain::date& day) { return read_date(in, day); };
  const auto read_host = [&](std::string& name) {
    return read_configured(in, name, file.short_term_hosts, "a configured short-term host");
  };
  if (!in.object({
          optional("id", [&] { return in.nullable(id, read_block_id); }),
          required("from", [&] { return read_date(in, to.nights.first); }),
          required("to", [&] { return in.nullable(last, read_last); }),
          optional("source", [&] { return read_choice(in, to.source, block_sources); }),
          optional("host", [&] { return in.nullable(host, read_host); }),
      }))
    return false;
  to.id = id.value_or(domain::uuid{});
  to.nights.last = last.value_or(domain::no_end);
  to.host = host.value_or("");
  const bool owned = !host || to.source == domain::block_source::channel ||
                     in.refuse_member("host", "belongs to channel blocks only");
  return check_not_after(in, to.nights.first, to.nights.last, "from", "to") && owned;
}

} // namespace roost::portfolio
