#include "feeds/feed_rows.hpp"
#include "listings/listing.hpp"

#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

/// Builds a platform's list repeatedly, like its feed, and measures the processor time of builds after all
/// units or only some of them have changed.
///
/// usage: bench_rebuild UNITS CHANGED
/// prints one JSON object; times are milliseconds of processor time, sizes are bytes
namespace roost::feeds {
namespace {

const auto today = domain::date_of(std::chrono::year{2026} / 11 / 20);

/// A platform's list with its units.
class list {
public:
  explicit list(std::size_t units) : stamps_(units) {
    platform_ = {.name = "channel-manager", .kind = domain::platform_kind::channel_manager};
    account_.advance_notice_days = 2;
    account_.cards = {
        {platform_.name, "feeds@landlord.example", {domain::markup_mode::percentage, 5'00}, 90}};
    property_.cleaning_fee = {.enabled = true, .value = {45'50}};
    property_.monthly_bills = domain::money{60'00};
    for (std::size_t unit = 0; unit < units; ++unit) terms_.push_back(room(unit));
  }

  void change(std::size_t unit) {
    stamps_[unit] = ++clock_;
    terms_[unit].rent.amount.cents += 5'00;
  }

  /// Returns the processor time in milliseconds.
  double build() {
    const auto before = processor_time();
    rows_.begin(stamps_, pages_);
    feed_writer writer{pages_, rows_.changed_pages()};
    std::vector<page_draft> drafts;
    const auto compress = [&] {
      for (const auto& draft : drafts) writer.add(draft);
      drafts.clear();
    };
    const auto requested = rows_.requested();
    for (std::size_t number = 0; number < requested.size(); ++number) {
      rows_.take(number, row(requested[number]));
      rows_.move_complete_pages_to(drafts);
      if (drafts.size() > 4) compress();
    }
    rows_.move_complete_pages_to(drafts);
    compress();
    text_ = writer.finish();
    pages_ = writer.pages();
    rows_.keep();
    return processor_time() - before;
  }

  const feed_text& text() const { return text_; }
  const feed_pages& pages() const { return *pages_; }

private:
  static double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

  static domain::unit room(std::size_t number) {
    domain::unit unit;
    unit.internal_name = "Calle Mayor " + std::to_string(number) + ", room 1";
    unit.capacity = 1 + static_cast<int>(number % 3);
    unit.rent.amount = {380'00 + static_cast<std::int64_t>(number * 7919 % 1000) * 100};
    unit.min_stay_months = 1 + static_cast<int>(number % 6);
    unit.max_stay_months = 11;
    unit.extra_price_per_tenant = {80'00};
    unit.admin_fee = {.enabled = true, .value = {90'00 + static_cast<std::int64_t>(number * 31 % 200) * 100}};
    unit.deposit = {domain::deposit_mode::rent_multiple, 1'50};
    unit.created_at = unit.updated_at = domain::timestamp{today} + std::chrono::seconds{number};
    return unit;
  }

  static domain::calendar stays(std::size_t number) {
    domain::calendar calendar;
    for (int stay = 0; stay < 4; ++stay) {
      const auto first = today + domain::days{static_cast<int>(number % 40) + stay * 80};
      domain::block block;
      block.nights = {first, first + domain::days{40}};
      block.created_at = block.updated_at = domain::timestamp{today} - std::chrono::seconds{number};
      calendar.add(block);
    }
    return calendar;
  }

  row_text row(std::size_t unit) {
    json_.clear();
    listings::write_listing(
        json_, {account_, property_, terms_[unit], stays(unit), platform_, std::to_string(1'000'000 + unit)},
        today + std::chrono::hours{9}, listings::past_blocks::left_out);
    return row_buffer_.add(json_.text());
  }

  domain::platform platform_;
  domain::account account_;
  domain::property_terms property_;
  std::vector<domain::unit> terms_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t clock_ = 0;
  json::writer json_;
  row_buffer row_buffer_;
  feed_rows rows_;
  feed_text text_;
  std::shared_ptr<const feed_pages> pages_;
};

int run(int count, char** arguments) {
  const std::size_t units = count > 2 ? std::strtoul(arguments[1], nullptr, 10) : 0;
  const std::size_t changed = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 0;
  if (units == 0 || changed == 0 || changed > units) {
    std::cerr << "usage: bench_rebuild UNITS CHANGED\n";
    return 2;
  }
  list list{units};
  const auto build_after = [&](std::size_t first, std::size_t count, std::size_t step) {
    for (std::size_t i = 0; i < count; ++i) list.change(first + i * step);
    return list.build();
  };
  build_after(0, units, 1); // allocates memory that later builds reuse
  const auto all = build_after(0, units, 1);
  const auto together = build_after(units / 2 - changed, changed, 1);
  const auto held = list.pages().held;
  const auto scattered = build_after(0, changed, units / changed);
  std::cout << "{\"all\":" << all << ",\"together\":" << together << ",\"scattered\":" << scattered
            << ",\"text\":" << list.text().identity.size() << ",\"gzip\":" << list.text().gzip.size()
            << ",\"held\":" << held << "}\n";
  return 0;
}

} // namespace
} // namespace roost::feeds

int main(int count, char** arguments) { return roost::feeds::run(count, arguments); }
