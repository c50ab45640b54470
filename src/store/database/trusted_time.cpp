#include "store/database/trusted_time.hpp"

#include "store/database/boot_clock.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace roost::store {

namespace {

constexpr int catch_up_divisor = 20; // 5%

struct trusted_time {
  domain::timestamp at{};
  std::string boot;
  std::int64_t uptime = 0; ///< milliseconds
};
constexpr auto trusted_columns = columns(column("at", &trusted_time::at), column("boot", &trusted_time::boot),
                                         column("uptime", &trusted_time::uptime));

const selection read_trusted{"read_trusted_time", "select {columns} from trusted_time where id = 1",
                             trusted_columns};
const selection lock_trusted{"lock_trusted_time",
                             "select {columns} from trusted_time where id = 1 {for update}", trusted_columns};
constexpr query write_trusted{
    "write_trusted_time", "update trusted_time set at = :at, boot = :boot, uptime = :uptime where id = 1"};
constexpr query write_boot{
    "write_boot", "update trusted_time set boot = :boot, uptime = :uptime where id = 1 and boot = ''"};

/// Returns the uptime since the time was written; 0 if the machine or its boot is a different one.
std::chrono::milliseconds elapsed_since(const trusted_time& written, const machine_time& machine) {
  if (machine.boot.empty() || written.boot != machine.boot) return {};
  return std::max(machine.uptime - std::chrono::milliseconds{written.uptime}, std::chrono::milliseconds{0});
}

void write(session& db, domain::timestamp at, const machine_time& machine) {
  db.internals().write(write_trusted,
                       {{"at", at}, {"boot", machine.boot}, {"uptime", machine.uptime.count()}});
}

std::string first_word_of(const char* file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

std::chrono::milliseconds uptime() {
  return std::chrono::floor<std::chrono::milliseconds>(boot_clock::now().time_since_epoch());
}

/// Returns the kernel's id of the boot with that of the time namespace, in which the uptime may have an
/// offset. Without /proc, this process counts as a boot of its own.
std::string read_boot() {
  static const auto process = "process " + std::to_string(getpid()) + ' ' + std::to_string(uptime().count());
  const auto boot = first_word_of("/proc/sys/kernel/random/boot_id");
  if (boot.empty()) return process;
  struct stat clocks {};
  return stat("/proc/self/ns/time", &clocks) == 0 ? boot + " time " + std::to_string(clocks.st_ino) : boot;
}

} // namespace

machine_time read_machine_time() { return {read_boot(), uptime()}; }

std::string to_string(const time_comparison& compared) {
  return "this machine's clock says " + domain::to_string(compared.now) + ", the store's trusted time is " +
         domain::to_string(compared.trusted);
}

time_comparison compare_time(session& db, domain::timestamp now, const machine_time& machine) {
  const auto written = db.internals().read_one(read_trusted).value_or(trusted_time{});
  return {now, written.at + elapsed_since(written, machine)};
}

domain::timestamp earlier_time(session& db, domain::timestamp now, const machine_time& machine) {
  return std::min(now, compare_time(db, now, machine).trusted);
}

bool is_time_trusted(session& db, domain::timestamp now, const machine_time& machine) {
  if (!db.is_sqlite() && std::chrono::abs(database_clock(db) - now) > clock_tolerance) return false;
  return compare_time(db, now, machine).agrees();
}

time_comparison advance_trusted_time(session& db, const lease& held, domain::timestamp now,
                                     const machine_time& machine) {
  write_transaction txn(db, held);
  const auto written = db.internals().read_one(lock_trusted).value_or(trusted_time{});
  const auto elapsed = elapsed_since(written, machine);
  time_comparison result{now, written.at + elapsed};
  if (result.gap().count() > 0 && result.agrees())
    result.trusted += std::min(result.gap(), elapsed / catch_up_divisor);
  write(db, result.trusted, machine);
  txn.commit();
  return result;
}

void note_boot(session& db, const machine_time& machine) {
  db.internals().write(write_boot, {{"boot", machine.boot}, {"uptime", machine.uptime.count()}});
}

void trust_clock(session& db, domain::timestamp now, const machine_time& machine) {
  transaction txn(db, transaction::purpose::write);
  write(db, now, machine);
  txn.commit();
}

} // namespace roost::store
