#include "store/database/holder_lock.hpp"
#include "store/support/postgresql_proxy.hpp"
#include "support/store.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <span>
#include <string_view>
#include <thread>

/// The holder lock behind a connection pooler, which may run two clients' statements in one session of the
/// database: an advisory lock of that session excludes neither of them.
namespace roost::testing::pooled_lock_test {

namespace asio = boost::asio;
using asio::ip::tcp;

/// Finds BackendKeyData: its type and length, then the process id and a secret, four bytes each.
bool replace_process_id(std::span<char> text) {
  constexpr std::string_view start{"K\0\0\0\x0c", 5};
  const auto at = std::string_view(text.data(), text.size()).find(start);
  if (at == std::string_view::npos || at + start.size() + 4 > text.size()) return false;
  for (std::size_t i = 0; i < 4; ++i) text[at + start.size() + i] = '\x01';
  return true;
}

void forward(tcp::socket& from, tcp::socket& to, bool replaces_process_id) {
  std::array<char, 16'384> buffer{};
  boost::system::error_code error;
  while (!error) {
    const auto size = from.read_some(asio::buffer(buffer), error);
    if (replaces_process_id && replace_process_id({buffer.data(), size})) replaces_process_id = false;
    if (!error) asio::write(to, asio::buffer(buffer.data(), size), error);
  }
  to.shutdown(tcp::socket::shutdown_both, error);
}

/// Forwards both directions. Like a pooler, it announces a process id of its own instead of the one of the
/// database's session.
void serve_as_pooler(tcp::socket& client, tcp::socket& server) {
  const std::jthread to_server([&] { forward(client, server, false); });
  forward(server, client, true);
}

class HolderLockBehindAPooler : public on_each_store {};
ROOST_ON_POSTGRESQL(HolderLockBehindAPooler);

TEST_P(HolderLockBehindAPooler, IsNotTaken) {
  const postgresql_proxy shared(store().url(), serve_as_pooler);
  {
    store::holder_lock pooled(shared.url());
    EXPECT_FALSE(pooled.try_take());
    EXPECT_FALSE(pooled.is_held());
    EXPECT_TRUE(pooled.is_pooled());
  }
  store::holder_lock direct(store().url());
  EXPECT_TRUE(direct.try_take());
  EXPECT_FALSE(direct.is_pooled());
}

} // namespace roost::testing::pooled_lock_test
