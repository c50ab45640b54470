#include "store/portfolio/between_imports.hpp"

#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <cstdint>
#include <thread>

namespace roost::store {

namespace {

constexpr std::chrono::milliseconds poll_interval{50};

} // namespace

transaction_between_imports::transaction_between_imports(session& db, transaction::purpose purpose,
                                                         std::chrono::milliseconds max_stall) {
  using clock = std::chrono::steady_clock;
  std::optional<std::int64_t> last_step;
  auto since = clock::now();
  for (;;) {
    transaction_.emplace(db, purpose);
    const auto step = next_import_step(db);
    if (!step) return;
    transaction_.reset();
    if (purpose == transaction::purpose::write) {
      write_pending_import(db);
      continue;
    }
    if (step != last_step) since = clock::now();
    last_step = step;
    if (clock::now() - since >= max_stall) throw unavailable("an import is in progress");
    std::this_thread::sleep_for(poll_interval);
  }
}

} // namespace roost::store
