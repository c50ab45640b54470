#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/progress.hpp"
#include "cli/usage_error.hpp"
#include "config/text.hpp"
#include "security/random.hpp"
#include "store/address/store_url.hpp"
#include "store/audit/audit.hpp"
#include "store/copy/copy.hpp"
#include "store/database/lease.hpp"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace roost::cli {

namespace {

/// Unique to one run of the command; `roost lease show` and /readyz show it.
std::string copying_node() {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return std::string{store::copying_node_prefix} + host + "/" + std::to_string(getpid()) + "/" +
         domain::to_string(security::random_uuid());
}

/// A bar for each table.
class table_bars {
public:
  void show(store::copy_step step, std::string_view table, std::int64_t rows, std::int64_t total) {
    const auto label = (step == store::copy_step::copying ? "copying " : "comparing ") + std::string(table);
    if (label != label_) {
      bar_.emplace(label_ = label);
    }
    bar_->show(static_cast<std::size_t>(std::min(rows, total)), static_cast<std::size_t>(total));
  }
  void end() { bar_.reset(); }
  bool has_begun() const { return !label_.empty(); }

private:
  std::string label_;
  std::optional<progress_bar> bar_;
};

void print_rows(const store::copy_result& result) {
  for (const auto& table : result.tables)
    std::printf("%-20s %12" PRId64 "\n", table.name.c_str(), table.rows);
}

void print_differences(const store::copy_result& result) {
  for (const auto& each : result.differences) std::fprintf(stderr, "roost: %s\n", each.c_str());
  if (result.differing > 0)
    std::fprintf(stderr, "roost: the stores differ in %" PRId64 " rows\n", result.differing);
  if (!result.changed.empty())
    std::fprintf(stderr, "roost: a command has changed %s meanwhile\n", result.changed.c_str());
}

constexpr const char* next_steps =
    "Compared row by row: both hold the same.\n"
    "Next: set store.url to the copy and start the server with the same secrets file, which is not in the "
    "store. Start no server on the old store any more: its bookings would not be in the copy.\n";

store::copy_settings settings_of(const common_options& common, const config::settings& settings,
                                 const copy_options& options, table_bars& bars) {
  store::copy_settings with;
  with.source_url = settings.store.url;
  with.target_url = options.to;
  with.node = copying_node();
  with.progress = [&bars](store::copy_step step, std::string_view table, std::int64_t rows,
                          std::int64_t total) {
    bars.show(step, table, rows, total);
    if (interruption::is_wanted()) throw interrupted("interrupted");
  };
  with.note = [&common, from = config::masked(settings.store.url)](store::session& target,
                                                                   std::int64_t rows) {
    const auto now = this_moment();
    store::record_audit(target, {security::time_ordered_uuid(now), now, actor_of(common), "copy", from,
                                 std::to_string(rows) + " rows"});
  };
  return with;
}

int report(const store::copy_result& result, bool check_only, std::chrono::steady_clock::duration took) {
  print_rows(result);
  const auto seconds = std::chrono::duration<double>(took).count();
  std::printf("%" PRId64 " rows in %.1f s\n", result.rows, seconds);
  if (!result.is_identical()) {
    print_differences(result);
    if (!check_only)
      std::fputs("roost: no server takes the copy: run the command again, which begins anew\n", stderr);
    return 1;
  }
  std::fputs(check_only ? "Compared row by row: both hold the same.\n" : next_steps, stdout);
  return 0;
}

constexpr const char* goes_on = "Run the same command again: it resumes the copy";
constexpr const char* is_tried_again = "Run the same command again once that is put right";
constexpr const char* begins_anew = "Run the same command again: it starts over. When it ends like this once "
                                    "more, the target cannot hold what "
                                    "the source holds";

/// What went wrong on the way does no harm to what is there already.
[[noreturn]] void throw_with_advice(const std::exception& failed, const copy_options& options,
                                    const char* advice) {
  throw std::runtime_error(std::string(failed.what()) +
                           (options.check_only ? "" : std::string(". ") + advice));
}

} // namespace

int copy_store(const common_options& common, const copy_options& options) {
  const auto settings = load_configuration(common).values;
  if (const auto fault = store::store_url_error(options.to)) throw usage_error("--to: it " + *fault);
  open_store(settings); // says what is wrong with it as every command does
  const interruption asked;
  table_bars bars;
  const auto with = settings_of(common, settings, options, bars);
  const auto started = std::chrono::steady_clock::now();
  try {
    const auto result = options.check_only ? store::compare_stores(with) : store::copy_store(with);
    bars.end();
    if (result.resumed) std::puts("Went on with what was copied before.");
    return report(result, options.check_only, std::chrono::steady_clock::now() - started);
  } catch (const interrupted& ended) {
    throw_with_advice(ended, options, goes_on);
  } catch (const store::unavailable& away) {
    throw_with_advice(away, options, bars.has_begun() ? goes_on : is_tried_again);
  } catch (const store::lease_lost& lost) {
    throw_with_advice(lost, options, bars.has_begun() ? goes_on : is_tried_again);
  } catch (const store::target_rejected_row& spoiled) {
    throw_with_advice(spoiled, options, begins_anew);
  }
}

} // namespace roost::cli
