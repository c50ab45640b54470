#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace roost::actors {

/// Values by a key that is part of them and that several may share. A copy shares its shards with the
/// original until an editor changes them, so that a few changes cost a few shards. The Rules name the
/// `value`, which is a pointer, and the `key` to look it up by; `key_of(value)` is equal to a key and stays
/// as it is, `hash(key)`, and `before(value, value)` tells which of two with the same key comes first.
template <class Rules>
class sharded_index {
public:
  using value = typename Rules::value;
  using key = typename Rules::key;

  /// The values of a key: null and none where there is no such key.
  struct values {
    const value* first = nullptr;
    std::span<const value> others; ///< in order
  };

  class editor;

  explicit sharded_index(Rules rules = {}) : rules_(rules) {}

  values find(const key& wanted) const {
    if (shards_.empty()) return {};
    const hashed_key hashed{wanted, rules_.hash(wanted)};
    const auto& in = *shards_[place_of(hashed.hash)];
    const auto first = in.firsts.find(hashed);
    if (first == in.firsts.end()) return {};
    return {&*first, others_under(in, wanted)};
  }

  std::size_t size() const { return size_; }

private:
  static constexpr std::size_t filled = 350; // fits the 480 slots of a set with room for chance
  static constexpr std::size_t most_filled = 2 * filled;

  struct hashed_key {
    key of;
    std::size_t hash;
  };

  struct hasher {
    using is_transparent = void;
    Rules rules;
    std::size_t operator()(const hashed_key& wanted) const { return wanted.hash; }
    std::size_t operator()(const value& of) const { return rules.hash(rules.key_of(of)); }
  };

  struct equal {
    using is_transparent = void;
    Rules rules;
    bool operator()(const value& a, const value& b) const { return rules.key_of(a) == rules.key_of(b); }
    bool operator()(const hashed_key& a, const value& b) const { return a.of == rules.key_of(b); }
    bool operator()(const value& a, const hashed_key& b) const { return rules.key_of(a) == b.of; }
  };

  /// A set of values alone is a third of a map's size.
  struct shard {
    explicit shard(Rules rules) : firsts(0, hasher{rules}, equal{rules}) {}

    boost::unordered_flat_set<value, hasher, equal> firsts;
    std::vector<value> others; ///< by key, then in order
  };

  std::size_t place_of(std::size_t hash) const {
    return ((static_cast<std::uint64_t>(hash) * 0x9E3779B97F4A7C15U >> 32U) * shards_.size()) >> 32U;
  }

  std::span<const value> others_under(const shard& in, const key& wanted) const {
    if (in.others.empty()) return {};
    const auto key_of = [this](const value& of) { return rules_.key_of(of); };
    return {std::ranges::lower_bound(in.others, wanted, std::ranges::less{}, key_of),
            std::ranges::upper_bound(in.others, wanted, std::ranges::less{}, key_of)};
  }

  [[no_unique_address]] Rules rules_;
  std::vector<std::shared_ptr<const shard>> shards_;
  std::size_t size_ = 0;
};

/// Changes an index that nobody else has yet: copies each shard that it touches once.
template <class Rules>
class sharded_index<Rules>::editor {
public:
  /// `more`: how many values will be added.
  editor(sharded_index& changed, std::size_t more) : index_(changed), own_(changed.shards_.size()) {
    const auto until = changed.size_ + more;
    if (until > changed.shards_.size() * most_filled) spread(until);
  }

  void add(const value& added) {
    ++index_.size_;
    place(added);
  }

  /// A value that is in the index.
  void remove(const value& removed) {
    const auto key_of = index_.rules_.key_of(removed);
    auto& in = own(index_.place_of(index_.rules_.hash(key_of)));
    const auto first = in.firsts.find(removed);
    if (first == in.firsts.end()) return;
    const auto others = index_.others_under(in, key_of);
    const auto begin = in.others.begin() + (others.empty() ? 0 : others.data() - in.others.data());
    if (*first != removed) {
      const auto end = begin + static_cast<std::ptrdiff_t>(others.size());
      const auto at = std::find(begin, end, removed);
      if (at == end) return;
      in.others.erase(at);
    } else {
      in.firsts.erase(first);
      if (!others.empty()) {
        in.firsts.insert(*begin);
        in.others.erase(begin);
      }
    }
    --index_.size_;
  }

private:
  shard& own(std::size_t place) {
    if (own_[place]) return *own_[place];
    auto copy = std::make_shared<shard>(*index_.shards_[place]);
    own_[place] = copy.get();
    index_.shards_[place] = std::move(copy);
    return *own_[place];
  }

  void place(const value& added) {
    const auto& rules = index_.rules_;
    auto& in = own(index_.place_of(rules.hash(rules.key_of(added))));
    const auto [first, is_only] = in.firsts.insert(added);
    if (is_only) return;
    auto other = added;
    if (rules.before(added, *first)) {
      other = *first;
      in.firsts.erase(first);
      in.firsts.insert(added);
    }
    const auto comes_before = [&](const value& a, const value& b) {
      return rules.key_of(a) < rules.key_of(b) || (rules.key_of(a) == rules.key_of(b) && rules.before(a, b));
    };
    in.others.insert(std::ranges::upper_bound(in.others, other, comes_before), other);
  }

  /// Over as many shards as this many values want.
  void spread(std::size_t values) {
    const auto before = std::exchange(index_.shards_, {});
    const auto count = values / filled + 1;
    own_.assign(count, nullptr);
    for (auto& made : own_) {
      auto fresh = std::make_shared<shard>(index_.rules_);
      fresh->firsts.reserve(std::min(values, filled));
      made = fresh.get();
      index_.shards_.push_back(std::move(fresh));
    }
    for (const auto& each : before) {
      for (const auto& first : each->firsts) place(first);
      for (const auto& other : each->others) place(other);
    }
  }

  sharded_index& index_;
  std::vector<shard*> own_; // by place; null: shared with other indexes
};

} // namespace roost::actors
