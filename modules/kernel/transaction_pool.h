#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <typeinfo>
#include <vector>

#include <tlm>

#include "muster/policies/algorithms/prefetch.h"

namespace muster {

/// Payloads that carry one sticky extension each and return to the pool with their last reference.
/// @tparam Extension derives from tlm_extension<Extension>; has reset(), and begin(payload, extension), which sets the
///   attributes of a new payload: most are the same for all its transactions, and are not set again
template <class Extension>
class transaction_pool final : public tlm::tlm_mm_interface {
 public:
  transaction_pool() = default;
  transaction_pool(const transaction_pool&) = delete;
  transaction_pool& operator=(const transaction_pool&) = delete;
  // A payload deletes the extensions that it holds, but these live inside the pool.
  ~transaction_pool() override {
    for (block& of : blocks_)
      for (entry& e : of) e.clear_extension(&e.extension);
  }

  /// Reserves a payload, without a reference. Nothing of the payload but its extension is accessed. begin() or
  /// give_back() follows.
  tlm::tlm_generic_payload& reserve() {
    if (idle_count_ == 0) grow();
    return *idle_[--idle_count_];
  }
  void give_back(tlm::tlm_generic_payload& own) {
    auto& e = static_cast<entry&>(own);
    e.extension.reset();
    idle_[idle_count_++] = &e;
  }
  /// Begins the transaction of a reserved payload. The payload has one reference, the caller's, and the attributes that
  /// Extension::begin() or its latest user has set. Attributes that a target may set are reset.
  void begin(tlm::tlm_generic_payload& own) {
    own.acquire();
    own.set_dmi_allowed(false);
    own.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    static_cast<entry&>(own).in_progress_of = tag();
  }
  /// Reserves a payload and begins its transaction.
  tlm::tlm_generic_payload& take() {
    tlm::tlm_generic_payload& p = reserve();
    begin(p);
    return p;
  }

  /// The extension of a payload of this pool; faster than get_extension().
  static Extension& extension(tlm::tlm_generic_payload& own) { return static_cast<entry&>(own).extension; }

  /// The extension of any payload, from a pool or not; null if it has none.
  static Extension* find(tlm::tlm_generic_payload& any) {
    return is_entry(any) ? &extension(any) : any.get_extension<Extension>();
  }

  /// Whether a payload belongs to this pool and its transaction is in progress: its response has not come.
  bool in_progress(const tlm::tlm_generic_payload& any) const {
    return is_entry(any) && static_cast<const entry&>(any).in_progress_of == tag();
  }
  /// Ends the transaction of a payload of this pool, as its response has come.
  static void end(tlm::tlm_generic_payload& own) { static_cast<entry&>(own).in_progress_of = no_pool; }

  /// Payloads that are reserved or have a reference.
  std::size_t outstanding() const { return idle_.size() - idle_count_; }

 private:
  // A payload and its extension, in whole cache lines: most jobs of a long queue are not in the cache when they start.
  struct alignas(cache_line) entry final : tlm::tlm_generic_payload {
    entry() { set_extension(&extension); }
    std::uint32_t in_progress_of = no_pool;  // tag of the pool; fits into the padding behind the payload
    Extension extension;
  };
  static constexpr std::uint32_t no_pool = 0;
  // Entries that are allocated together: an aligned allocation for each takes longer than all else that is made of it.
  using block = std::array<entry, 16>;

  // In most programs a type has one type_info, and comparing addresses is enough; across shared libraries there may be
  // several.
  static bool is_entry(const tlm::tlm_generic_payload& any) {
    const std::type_info& type = typeid(any);
    return &type == &typeid(entry) || type == typeid(entry);
  }

  // A number that distinguishes the pool from the few others of a simulation.
  std::uint32_t tag() const { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(this)) | 1; }

  void free(tlm::tlm_generic_payload* payload) override {
    static_cast<entry*>(payload)->in_progress_of = no_pool;
    payload->reset();
    give_back(*payload);
  }

  [[gnu::noinline]] void grow() {
    block& made = blocks_.emplace_back();
    idle_.resize(idle_.size() + made.size());
    for (auto e = made.rbegin(); e != made.rend(); ++e) {
      e->set_mm(this);
      Extension::begin(*e, e->extension);
      idle_[idle_count_++] = &*e;
    }
  }

  std::deque<block> blocks_;  // a deque, so that entries keep their addresses
  std::vector<entry*> idle_;  // room for all entries; the first idle_count_ are idle
  std::size_t idle_count_ = 0;
};

}  // namespace muster
