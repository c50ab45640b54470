#include "feeds/feed_rows.hpp"
#include "listings/listing.hpp"

#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

/// Builds a platform's list again and again, as its feed does, and tells the processor time of a build of
/// which all units have changed, and of one of which a few have.
///
/// usage: bench_rebuild UNITS CHANGED
/// prints one JSON object; times are milliseconds of processor time, sizes are bytes
namespace roost::feeds {
namespace {

const domain::date today = std::chrono::year{2026} / 11 / 20;

/// A platform's list with the calendars that write its rows.
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

  /// Milliseconds of processor time.
  double build() {
    const auto before = processor_time();
    rows_.begin(stamps_, pages_);
    feed_writer writer{pages_, rows_.changed_pages()};
    std::vector<page_draft> drafts;
    const auto press = [&] {
      for (const auto& draft : drafts) writer.add(draft);
      drafts.clear();
    };
    const auto wanted = rows_.requested();
    for (std::size_t number = 0; number < wanted.size(); ++number) {
      rows_.take(number, row(wanted[number]));
      rows_.move_complete_pages_to(drafts);
      if (drafts.size() > 4) press();
    }
    rows_.move_complete_pages_to(drafts);
    press();
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
    domain::unit made;
    made.internal_name = "Calle Mayor " + std::to_string(number) + ", room 1";
    made.capacity = 1 + static_cast<int>(number % 3);
    made.rent.amount = {380'00 + static_cast<std::int64_t>(number * 7919 % 1000) * 100};
    made.min_stay_months = 1 + static_cast<int>(number % 6);
    made.max_stay_months = 11;
    made.extra_price_per_tenant = {80'00};
    made.admin_fee = {.enabled = true, .value = {90'00 + static_cast<std::int64_t>(number * 31 % 200) * 100}};
    made.deposit = {domain::deposit_mode::rent_multiple, 1'50};
    made.created_at = made.updated_at = domain::timestamp{today} + std::chrono::seconds{number};
    return made;
  }

  static domain::calendar stays(std::size_t number) {
    domain::calendar held;
    for (int stay = 0; stay < 4; ++stay) {
      const auto first = today + domain::days{static_cast<int>(number % 40) + stay * 80};
      domain::block block;
      block.nights = {first, first + domain::days{40}};
      block.created_at = block.updated_at = domain::timestamp{today} - std::chrono::seconds{number};
      held.add(block);
    }
    return held;
  }

  row_text row(std::size_t unit) {
    json_.clear();
    listings::write_listing(
        json_, {account_, property_, terms_[unit], stays(unit), platform_, std::to_string(1'000'000 + unit)},
        today + std::chrono::hours{9}, listings::past_blocks::left_out);
    return strip_.add(json_.text());
  }

  domain::platform platform_;
  domain::account account_;
  domain::property_terms property_;
  std::vector<domain::unit> terms_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t clock_ = 0;
  json::writer json_;
  row_buffer strip_;
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
  list of{units};
  const auto build_after = [&](std::size_t from, std::size_t so_many, std::size_t apart) {
    for (std::size_t i = 0; i < so_many; ++i) of.change(from + i * apart);
    return of.build();
  };
  build_after(0, units, 1); // memory that later builds have, too
  const auto all = build_after(0, units, 1);
  const auto together = build_after(units / 2 - changed, changed, 1);
  const auto held = of.pages().held;
  const auto scattered = build_after(0, changed, units / changed);
  std::cout << "{\"all\":" << all << ",\"together\":" << together << ",\"scattered\":" << scattered
            << ",\"text\":" << of.text().identity.size() << ",\"gzip\":" << of.text().gzip.size()
            << ",\"held\":" << held << "}\n";
  return 0;
}

} // namespace
} // namespace roost::feeds

int main(int count, char** arguments) { return roost::feeds::run(count, arguments); }
