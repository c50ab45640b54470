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

/// The claims of tokens whose signature was checked, by the tokens' whole text, in shards in which threads
/// rarely meet. Beside them each shard has its own pointer to what all of them share, so that a look at it
/// costs no counting of references. A token always falls into the same shard.
///
/// Only tokens that we signed may be remembered: so a stranger cannot push them out.
template <typename Claims, typename Shared, std::size_t MostInAShard>
class token_shards {
public:
  /// All but the mutex is used under its lock.
  struct shard {
    std::mutex mutex;
    std::shared_ptr<const Shared> shared;

    /// Null: not remembered.
    const Claims* find(std::string_view text) const {
      const auto known = checked_.find(text);
      return known == checked_.end() ? nullptr : &known->second;
    }
    void remember(std::string_view text, Claims claims) {
      if (checked_.size() >= MostInAShard) checked_.clear();
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
