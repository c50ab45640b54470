#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace roost::security {

/// A sharded cache of the claims of verified tokens, by the tokens' whole text; shards reduce lock
/// contention. Each shard has its own pointer to the shared state, so that reading it needs no reference
/// counting. A token always maps to the same shard.
///
/// Only tokens that this service signed may be cached, so that forged ones cannot evict them.
template <typename Claims, typename Shared, std::size_t MaxPerShard>
class token_shards {
public:
  /// The mutex guards all other members.
  struct shard {
    std::mutex mutex;
    std::shared_ptr<const Shared> shared;

    /// Returns null if the token is not cached.
    const Claims* find(std::string_view text) const {
      const auto known = checked_.find(text);
      return known == checked_.end() ? nullptr : &known->second;
    }
    void remember(std::string_view text, Claims claims) {
      if (checked_.size() >= MaxPerShard) checked_.clear();
      checked_.insert_or_assign(std::string(text), std::move(claims));
    }
    void forget_all() { checked_.clear(); }

  private:
    friend token_shards;

    struct text_hash {
      using is_transparent = void;
      std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    std::unordered_map<std::string, Claims, text_hash, std::equal_to<>> checked_;
  };

  shard& of(std::string_view text) { return shards_[typename shard::text_hash()(text) % shards_.size()]; }

  auto begin() { return shards_.begin(); }
  auto end() { return shards_.end(); }

private:
  std::array<shard, 16> shards_;
};

} // namespace roost::security
