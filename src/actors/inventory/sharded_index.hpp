#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace roost::actors {

/// A multimap from keys to values that contain them. A copy shares its shards with the original until an
/// editor changes them, so that a few changes copy only a few shards. The Rules define the `value` (a
/// pointer), the `key` to look it up by, `key_of(value)`, which is comparable to a key and never changes,
/// `hash(key)`, and `before(value, value)`, the order of values with the same key.
template <class Rules>
class sharded_index {
public:
  using value = typename Rules::value;
  using key = typename Rules::key;

  class editor;

  explicit sharded_index(Rules rules = {}) : rules_(rules) {}

  /// Calls `visit` with each value of the key, in order, until it returns false.
  template <class Function>
  void for_each(const key& target, Function visit) const {
    if (shards_.empty()) return;
    const auto at = place_of(rules_.hash(target));
    const auto& in = *shards_[at.shard];
    for (auto entry = first_with(in, at.hash); entry != in.end() && entry->hash == at.hash; ++entry)
      if (rules_.key_of(entry->content) == target && !visit(entry->content)) return; // keys may share a hash
  }

  /// Returns the first value of the key, or null.
  const value* find(const key& target) const {
    const value* found = nullptr;
    for_each(target, [&](const value& each) {
      found = &each;
      return false;
    });
    return found;
  }

  std::size_t size() const { return size_; }

private:
  static constexpr std::size_t target_size = 350, max_size = 2 * target_size;

  /// Stores the hash next to its value, so that copies and look-ups do not dereference other values.
  struct entry {
    std::uint32_t hash;
    value content;
  };

  using shard = std::vector<entry>; ///< by hash, then by key, then in order

  /// The position of a hash; the sequence of all shards is sorted by hash.
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
    const auto &key_a = rules_.key_of(a.content), &key_b = rules_.key_of(b.content);
    return key_a == key_b ? rules_.before(a.content, b.content) : key_a < key_b;
  }

  [[no_unique_address]] Rules rules_;
  std::vector<std::shared_ptr<const shard>> shards_;
  std::size_t size_ = 0;
};

/// Changes an index that is not shared yet. Copies each affected shard once.
template <class Rules>
class sharded_index<Rules>::editor {
public:
  /// `additions` is the number of values that will be added.
  editor(sharded_index& changed, std::size_t additions) : index_(changed), own_(changed.shards_.size()) {
    const auto size = changed.size_ + additions;
    if (size > changed.shards_.size() * max_size) reshard(size);
  }
  editor(const editor&) = delete;
  editor& operator=(const editor&) = delete;

  ~editor() {
    for (auto* shard : own_)
      if (shard) shard->shrink_to_fit();
  }

  void add(const value& added) {
    insert(added);
    ++index_.size_;
  }

  /// Removes a value; no-op if it is not in the index.
  void remove(const value& removed) {
    const auto at = place_of(removed);
    auto& in = own(at.shard);
    const auto found = std::find_if(in.begin() + (index_.first_with(in, at.hash) - in.begin()), in.end(),
                                    [&](const entry& each) { return each.content == removed; });
    if (found == in.end()) return;
    in.erase(found);
    --index_.size_;
  }

private:
  place place_of(const value& content) const {
    return index_.place_of(index_.rules_.hash(index_.rules_.key_of(content)));
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
    const entry inserted{at.hash, added};
    const auto next =
        std::upper_bound(in.begin(), in.end(), inserted,
                         [this](const entry& a, const entry& b) { return index_.comes_before(a, b); });
    in.insert(next, inserted);
  }

  /// Distributes the values over enough shards for this many of them.
  void reshard(std::size_t values) {
    const auto before = std::exchange(index_.shards_, {});
    const auto count = values / target_size + 1;
    own_.assign(count, nullptr);
    for (auto& own : own_) {
      auto added = std::make_shared<shard>();
      added->reserve(std::min(values, target_size));
      own = added.get();
      index_.shards_.push_back(std::move(added));
    }
    for (const auto& old_shard : before)
      for (const auto& entry : *old_shard) insert(entry.content);
  }

  sharded_index& index_;
  std::vector<shard*> own_; // by number; null: shared with other indexes
};

} // namespace roost::actors
