#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "config/text.hpp"
#include "security/random.hpp"
#include "service/lease_module.hpp"
#include "store/address/store_url.hpp"
#include "store/audit/audit.hpp"
#include "store/copy/copy.hpp"
#include "store/database/lease.hpp"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>

namespace roost::cli {

namespace {

/// Thrown at the next safe point after a signal.
struct interrupted : std::runtime_error {
  interrupted() : std::runtime_error("interrupted") {}
};

volatile std::sig_atomic_t is_interrupted = 0;

/// Turns the first SIGINT or SIGTERM into is_interrupted; a second one ends the process.
void catch_interruptions() {
  struct sigaction action {};
  action.sa_handler = [](int) { is_interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

/// Shows one progress bar per table.
class table_bars {
public:
  void show(store::copy_step step, std::string_view table, std::int64_t rows, std::int64_t total) {
    const auto label = (step == store::copy_step::copying ? "copying " : "comparing ") + std::string(table);
    if (label != label_) bar_.emplace(label_ = label);
    bar_->show(static_cast<std::size_t>(std::min(rows, total)), static_cast<std::size_t>(total));
  }
  void end() { bar_.reset(); }
  bool has_started() const { return !label_.empty(); }

private:
  std::string label_;
  std::optional<progress_bar> bar_;
};

void print_differences(const store::copy_result& result) {
  for (const auto& each : result.differences) std::fprintf(stderr, "roost: %s\n", each.c_str());
  if (result.differing > 0)
    std::fprintf(stderr, "roost: the stores differ in %" PRId64 " rows\n", result.differing);
  if (!result.changed.empty())
    std::fprintf(stderr, "roost: a command has changed %s in the meantime\n", result.changed.c_str());
}

constexpr const char* next_steps =
    "Compared row by row: the stores are identical.\n"
    "Next: set store.url to the copy and start the server with the same secrets file, which is not part of "
    "the store. The old store is marked as moved: servers and commands refuse it from now on.\n";

store::copy_settings settings_of(const arguments& args, const config::settings& settings, table_bars& bars) {
  store::copy_settings result{.source_url = settings.store.url,
                              .target_url = args.to,
                              .target_name = config::masked(args.to),
                              .node = std::string{store::copying_node_prefix} + node_name()};
  result.progress = [&bars](store::copy_step step, std::string_view table, std::int64_t rows,
                            std::int64_t total) {
    bars.show(step, table, rows, total);
    if (is_interrupted != 0) throw interrupted();
  };
  result.note = [&args, source = config::masked(settings.store.url)](store::session& target,
                                                                     std::int64_t rows) {
    const auto now = current_time();
    store::record_audit(target, {security::time_ordered_uuid(now), now, actor_of(args), "copy", source,
                                 std::to_string(rows) + " rows"});
  };
  return result;
}

int report(const store::copy_result& result, bool check_only, std::chrono::steady_clock::duration duration) {
  for (const auto& table : result.tables)
    std::printf("%-20s %12" PRId64 "\n", table.name.c_str(), table.rows);
  const auto seconds = std::chrono::duration<double>(duration).count();
  std::printf("%" PRId64 " rows in %.1f s\n", result.rows, seconds);
  if (!result.is_identical()) {
    print_differences(result);
    if (!check_only)
      std::fputs("roost: no server uses the copy: run the command again, which starts over\n", stderr);
    return 1;
  }
  std::fputs(check_only ? "Compared row by row: the stores are identical.\n" : next_steps, stdout);
  return 0;
}

constexpr const char* resumes = "Run the same command again: it resumes the copy";
constexpr const char* retry_when_fixed = "Run the same command again once this is fixed";
constexpr const char* starts_over =
    "Run the same command again: it starts over. If it fails like this again, the target cannot store the "
    "source's data";

/// Rethrows an error, which has not damaged what is copied already, with advice on how to continue.
[[noreturn]] void throw_with_advice(const std::exception& error, const arguments& args, const char* advice) {
  throw std::runtime_error(std::string(error.what()) + (args.check_only ? "" : std::string(". ") + advice));
}

} // namespace

int copy_store(const arguments& args) {
  const auto settings = load_configuration(args).values;
  if (const auto fault = store::store_url_error(args.to)) throw usage_error("--to: it " + *fault);
  open_store(settings, usable_stores::any); // reports problems like every other command
  catch_interruptions();
  table_bars bars;
  const auto copy = settings_of(args, settings, bars);
  const auto started = std::chrono::steady_clock::now();
  try {
    const auto result = args.check_only ? store::compare_stores(copy) : store::copy_store(copy);
    bars.end();
    if (result.resumed) std::puts("Resumed an earlier copy.");
    return report(result, args.check_only, std::chrono::steady_clock::now() - started);
  } catch (const interrupted& error) {
    throw_with_advice(error, args, resumes);
  } catch (const store::unavailable& error) {
    throw_with_advice(error, args, bars.has_started() ? resumes : retry_when_fixed);
  } catch (const store::lease_lost& error) {
    throw_with_advice(error, args, bars.has_started() ? resumes : retry_when_fixed);
  } catch (const store::target_rejected_row& error) {
    throw_with_advice(error, args, starts_over);
  }
}

} // namespace roost::cli
