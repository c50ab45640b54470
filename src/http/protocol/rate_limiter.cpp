#include "http/protocol/rate_limiter.hpp"

#include "http/protocol/address.hpp"
#include "security/random.hpp"

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstring>
#include <list>
#include <unordered_map>

namespace roost::http {

namespace {

std::uint64_t random_seed() {
  std::array<unsigned char, sizeof(std::uint64_t)> bytes;
  security::fill_random(bytes);
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), bytes.size());
  return seed;
}

/// The final mixing step of SplitMix64.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

} // namespace

/// The clients in one part of the hash space.
class rate_limiter::shard {
public:
  shard(std::size_t max_clients, std::size_t max_stamps)
      : max_clients_(std::max<std::size_t>(max_clients, 1)), max_stamps_(max_stamps) {}

  std::optional<std::chrono::seconds> admit(const hashed_key& key, std::size_t limit,
                                            const std::function<clock::time_point()>& now) {
    const std::lock_guard lock{mutex_};
    const auto moment = now(); // under the lock, so that timestamps ascend
    auto& stamps = recent(key).stamps;
    while (!stamps.empty() && stamps.front() <= moment - window) stamps.pop_front();
    if (stamps.size() >= limit) {
      const auto wait = stamps[stamps.size() - limit] + window - moment;
      return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
    }
    reserve_stamp(stamps, limit);
    stamps.push_back(moment);
    evict_oldest();
    return std::nullopt;
  }

  std::size_t clients() const {
    const std::lock_guard lock{mutex_};
    return entries_.size();
  }

private:
  using stamp_ring = boost::circular_buffer<clock::time_point>;

  struct entry {
    hashed_key key;
    stamp_ring stamps;
  };
  using entry_list = std::list<entry>;

  struct known_hash {
    std::uint64_t operator()(const hashed_key& key) const { return key.hash; }
  };

  /// Returns the client's entry, moved to the front.
  entry& recent(const hashed_key& key) {
    const auto [known, is_new] = by_key_.try_emplace(key);
    if (is_new) known->second = entries_.insert(entries_.end(), {key, stamp_ring()});
    entries_.splice(entries_.begin(), entries_, known->second);
    return entries_.front();
  }

  /// Grows the ring on demand, so that a client with few requests takes little memory.
  void reserve_stamp(stamp_ring& stamps, std::size_t limit) {
    constexpr std::size_t min_capacity = 4;
    if (!stamps.full()) return;
    const auto before = stamps.capacity();
    stamps.set_capacity(std::min(limit, std::max(min_capacity, 2 * before)));
    stamps_ += stamps.capacity() - before;
  }

  /// Evicts clients above the limits, but never the current one.
  void evict_oldest() {
    while (entries_.size() > 1 && (entries_.size() > max_clients_ || stamps_ > max_stamps_)) {
      const auto& oldest = entries_.back();
      stamps_ -= oldest.stamps.capacity();
      by_key_.erase(oldest.key);
      entries_.pop_back();
    }
  }

  const std::size_t max_clients_, max_stamps_;
  mutable std::mutex mutex_; ///< guards all following members
  entry_list entries_;       ///< most recently seen first
  std::unordered_map<hashed_key, entry_list::iterator, known_hash> by_key_;
  std::size_t stamps_ = 0; ///< allocated ones
};

rate_limiter::rate_limiter(std::function<clock::time_point()> now, rate_limiter_bounds bounds)
    : now_(std::move(now)), seed_(random_seed()) {
  for (std::size_t i = 0; i < bounds.shards; ++i)
    shards_.push_back(std::make_unique<shard>(bounds.clients / bounds.shards, bounds.stamps / bounds.shards));
}

rate_limiter::~rate_limiter() = default;

std::size_t rate_limiter::group(std::string_view name) {
  const std::lock_guard lock{mutex_};
  const auto known = std::ranges::find(groups_, name);
  const auto index = static_cast<std::size_t>(known - groups_.begin());
  if (known == groups_.end()) groups_.emplace_back(name);
  return index;
}

std::optional<std::chrono::seconds>
rate_limiter::admit(std::size_t group, const boost::asio::ip::address& client, std::size_t limit) {
  auto key = key_of(group, client);
  const auto shard = key.hash % shards_.size();
  key.hash /= shards_.size();
  return shards_[shard]->admit(key, limit, now_);
}

std::size_t rate_limiter::clients() const {
  std::size_t count = 0;
  for (const auto& shard : shards_) count += shard->clients();
  return count;
}

rate_limiter::hashed_key rate_limiter::key_of(std::size_t group,
                                              const boost::asio::ip::address& client) const {
  const auto network = network_of_client(client);
  hashed_key key{0, static_cast<std::uint32_t>(group), network.is_v4()};
  if (network.is_v4())
    key.network = network.to_v4().to_uint();
  else
    std::memcpy(&key.network, network.to_v6().to_bytes().data(), sizeof key.network); // the rest is zero
  key.hash = mixed(mixed(key.network ^ seed_) + 2 * key.group + (key.v4 ? 1 : 0));
  return key;
}

check rate_limit_check(rate_limiter& limiter, std::string_view group, std::size_t limit) {
  if (limit == 0) return [](request&) {};
  return [&limiter, group = limiter.group(group), limit](request& req) {
    const auto client = boost::asio::ip::make_address(req.remote_address);
    if (const auto wait = limiter.admit(group, client, limit)) throw too_many_requests(*wait);
  };
}

} // namespace roost::http
