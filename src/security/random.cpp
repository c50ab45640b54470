#include "security/random.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <stdexcept>

namespace roost::security {

namespace {

/// Counts the forks that led to this process, so that a child does not reuse its parent's buffered bytes.
std::atomic<unsigned> forks{0};
[[maybe_unused]] const int fork_watch =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });

/// Buffered random bytes: one call of the generator costs about as much as a hundred ids.
class random_buffer {
public:
  void take(std::span<unsigned char> bytes) {
    const auto now = forks.load(std::memory_order_relaxed);
    if (used_ + bytes.size() > bytes_.size() || now != forks_) {
      fill_random(bytes_);
      used_ = 0;
      forks_ = now;
    }
    std::memcpy(bytes.data(), bytes_.data() + used_, bytes.size());
    OPENSSL_cleanse(bytes_.data() + used_, bytes.size());
    used_ += bytes.size();
  }

private:
  std::array<unsigned char, 4096> bytes_{};
  std::size_t used_ = bytes_.size();
  unsigned forks_ = 0;
};

domain::uuid buffered_random_bytes() {
  thread_local random_buffer buffer;
  domain::uuid id;
  buffer.take(id.data);
  return id;
}

domain::uuid with_version(domain::uuid id, unsigned version) {
  id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0f) | version << 4);
  id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3f) | 0x80);
  return id;
}

} // namespace

void fill_random(std::span<unsigned char> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("the system's random number generator failed");
}

std::string random_digits(std::size_t count) {
  constexpr unsigned char fair = 250; // bytes from here on would favor the digits below 6
  std::string digits;
  while (digits.size() < count) {
    unsigned char byte[1];
    fill_random(byte);
    if (byte[0] < fair) digits += static_cast<char>('0' + byte[0] % 10);
  }
  return digits;
}

domain::uuid random_uuid() { return with_version(buffered_random_bytes(), 4); }

domain::uuid time_ordered_uuid(std::chrono::system_clock::time_point now) {
  using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::nanoseconds;
  const auto since_1970 = std::max(nanoseconds::zero(), duration_cast<nanoseconds>(now.time_since_epoch()));
  const auto whole = duration_cast<milliseconds>(since_1970);
  const auto milliseconds_since = static_cast<std::uint64_t>(whole.count());
  // RFC 9562, 6.2, method 3: the 12 bits after the version are the fraction of the millisecond.
  const auto fraction = static_cast<std::uint64_t>((since_1970 - whole).count()) * 4096 / 1'000'000;

  auto id = buffered_random_bytes();
  for (unsigned i = 0; i < 6; ++i) id.data[i] = static_cast<std::uint8_t>(milliseconds_since >> (40 - 8 * i));
  id.data[6] = static_cast<std::uint8_t>(fraction >> 8);
  id.data[7] = static_cast<std::uint8_t>(fraction);
  return with_version(id, 7);
}

} // namespace roost::security
