#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "store/database/lease.hpp"

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

constexpr const char* risks =
    "a server that still runs loses the lease: it commits nothing any more, what it is deciding is decided "
    "again by the next server, and until it notices, some seconds, it may answer reads with old data. Give "
    "--confirm when the holder is gone, or may be interrupted";

} // namespace

int show_lease(const common_options& common) {
  auto session = open_store(load_configuration(common).values, unfinished_copies::allowed);
  const auto found = store::current_lease(session);
  if (!found) {
    std::puts("no server holds the lease");
    return 0;
  }
  const char* const remark = found->expired               ? " (run out)"
                             : store::is_credible(*found) ? ""
                                                          : " (set by a wrong clock; servers ignore it)";
  std::printf("holder %s\nepoch  %" PRId64 "\nuntil  %s%s\nnow    %s (the database's clock)\nlock   %s\n",
              found->holder.node.c_str(), found->holder.epoch, domain::to_string(found->expires_at).c_str(),
              remark, domain::to_string(found->seen_at).c_str(),
              found->lock.empty() ? "none" : found->lock.c_str());
  return 0;
}

int release_lease(const common_options& common, bool confirmed) {
  if (!confirmed) throw usage_error(risks);
  auto session = open_store(load_configuration(common).values, unfinished_copies::allowed);
  const auto found = store::current_lease(session);
  if (!found) throw std::runtime_error("no server holds the lease");
  if (!store::revoke(session, found->holder))
    throw std::runtime_error("the lease has changed in the meantime: see roost lease show");
  record_audit(session, common, "lease release", found->holder.node);
  std::printf("released the lease of %s\n", found->holder.node.c_str());
  return 0;
}

} // namespace roost::cli
