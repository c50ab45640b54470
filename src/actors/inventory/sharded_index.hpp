#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
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

  class editor;

  explicit sharded_index(Rules rules = {}) : rules_(rules) {}

  /// Calls this with each value of the key, in order, until it returns false.
  template <class Function>
  void for_each(const key& wanted, Function use) const {
    if (shards_.empty()) return;
    const auto at = place_of(rules_.hash(wanted));
    const auto& in = *shards_[at.shard];
    for (auto entry = first_with(in, at.hash); entry != in.end() && entry->hash == at.hash; ++entry)
      if (rules_.key_of(entry->of) == wanted && !use(entry->of)) return; // another key may have the same hash
  }

  /// The first of them; null where there is none.
  const value* find(const key& wanted) const {
    const value* found = nullptr;
    for_each(wanted, [&](const value& each) {
      found = &each;
      return false;
    });
    return found;
  }

  std::size_t size() const { return size_; }

private:
  static constexpr std::size_t filled = 350, max_filled = 2 * filled;

  /// The hash stands beside its value, so that a copy and a look-up read no value that is not wanted.
  struct entry {
    std::uint32_t hash;
    value of;
  };

  using shard = std::vector<entry>; ///< by hash, then by key, then in order

  /// Where a hash belongs: all shards together are in the order of hashes.
  struct place {
    std::uint32_t hash;
    std::size_t shard;
  };

  place place_of(std::size_t hash) const {
    const auto mixed = static_cast<std::uint64_t>(hash) * 0x9E3779B97F4A7C15U >> 32U;
    return {static_cast<std::uint32_t>(mixed), static_cast<std::size_t>(mixed * shards_.size() >> 32U)};
  }

  static auto first_with(const shard& in, std::uint32_t hash) {
    return std::ranges::lower_bound(in, hash, {}, &entry::hash);
  }

  bool comes_before(const entry& a, const entry& b) const {
    if (a.hash != b.hash) return a.hash < b.hash;
    const auto &of_a = rules_.key_of(a.of), &of_b = rules_.key_of(b.of);
    return of_a == of_b ? rules_.before(a.of, b.of) : of_a < of_b;
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
    if (until > changed.shards_.size() * max_filled) spread(until);
  }
  editor(const editor&) = delete;
  editor& operator=(const editor&) = delete;

  ~editor() {
    for (auto* made : own_)
      if (made) made->shrink_to_fit();
  }

  void add(const value& added) {
    insert(added);
    ++index_.size_;
  }

  /// A value that is in the index.
  void remove(const value& removed) {
    const auto at = place_of(removed);
    auto& in = own(at.shard);
    const auto found = std::find_if(in.begin() + (index_.first_with(in, at.hash) - in.begin()), in.end(),
                                    [&](const entry& each) { return each.of == removed; });
    if (found == in.end()) return;
    in.erase(found);
    --index_.size_;
  }

private:
  place place_of(const value& of) const {
    return index_.place_of(index_.rules_.hash(index_.rules_.key_of(of)));
  }

  shard& own(std::size_t number) {
    if (own_[number]) return *own_[number];
    auto copy = std::make_shared<shard>(*index_.shards_[number]);
    own_[number] = copy.get();
    index_.shards_[number] = std::move(copy);
    return *own_[number];
  }

  void insert(const value& added) {
    const auto at = place_of(added);
    auto& in = own(at.shard);
    const entry made{at.hash, added};
    const auto next = std::upper_bound(in.begin(), in.end(), made, [this](const entry& a, const entry& b) {
      return index_.comes_before(a, b);
    });
    in.insert(next, made);
  }

  /// Over as many shards as this many values want.
  void spread(std::size_t values) {
    const auto before = std::exchange(index_.shards_, {});
    const auto count = values / filled + 1;
    own_.assign(count, nullptr);
    for (auto& made : own_) {
      auto fresh = std::make_shared<shard>();
      fresh->reserve(std::min(values, filled));
      made = fresh.get();
      index_.shards_.push_back(std::move(fresh));
    }
    for (const auto& each : before)
      for (const auto& known : *each) insert(known.of);
  }

  sharded_index& index_;
  std::vector<shard*> own_; // by number; null: shared with other indexes
};

} // namespace roost::actors
