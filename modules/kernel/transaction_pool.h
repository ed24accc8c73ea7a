#pragma once

#include <cstdint>
#include <deque>
#include <typeinfo>
#include <vector>

#include <tlm>

#include "muster/policies/prefetch.h"

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
    for (entry& e : entries_) e.clear_extension(&e.extension);
  }

  /// A payload with one reference, the caller's, and the attributes that Extension::begin() or its latest user has set;
  /// those that a target may set are reset. From here on its transaction is in progress.
  tlm::tlm_generic_payload& take() {
    if (idle_.empty()) grow();
    entry* e = idle_.back();
    idle_.pop_back();
    // While a queue grows, payloads come back into use that were long idle.
    if (idle_.size() > many) prefetch(idle_.back(), sizeof(entry));
    e->acquire();
    e->set_dmi_allowed(false);
    e->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    e->in_progress_of = name();
    return *e;
  }

  /// The extension of a payload that this pool has given out; quicker than to ask the payload for it.
  static Extension& extension(tlm::tlm_generic_payload& own) { return static_cast<entry&>(own).extension; }

  /// The extension of any payload, from a pool or not; null if it has none.
  static Extension* find(tlm::tlm_generic_payload& any) {
    return is_entry(any) ? &extension(any) : any.get_extension<Extension>();
  }

  /// Whether any payload is one of this pool's whose transaction is in progress: not another pool's, nor one whose
  /// response has come already.
  bool in_progress(const tlm::tlm_generic_payload& any) const {
    return is_entry(any) && static_cast<const entry&>(any).in_progress_of == name();
  }
  /// The response to a payload of this pool has come.
  static void end(tlm::tlm_generic_payload& own) { static_cast<entry&>(own).in_progress_of = nobody; }

  /// Payloads that somebody still refers to.
  std::size_t outstanding() const { return entries_.size() - idle_.size(); }

 private:
  // Whole cache lines: most jobs of a long queue are cold when their turn comes.
  struct alignas(64) entry final : tlm::tlm_generic_payload {
    explicit entry(transaction_pool* pool) : tlm_generic_payload(pool) { set_extension(&extension); }
    std::uint32_t in_progress_of = nobody;  // name of the pool; in what the payload leaves of its last word
    Extension extension;
  };
  static constexpr std::uint32_t nobody = 0;
  // With that many idle, the next one has likely left the cache.
  static constexpr std::size_t many = 64;

  // A type has one description in most programs, and its address tells; across libraries there may be several.
  static bool is_entry(const tlm::tlm_generic_payload& any) {
    const std::type_info& type = typeid(any);
    return &type == &typeid(entry) || type == typeid(entry);
  }

  // Tells it from the few other pools of a simulation.
  std::uint32_t name() const { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(this)) | 1; }

  void free(tlm::tlm_generic_payload* payload) override {
    auto* e = static_cast<entry*>(payload);
    e->in_progress_of = nobody;
    e->extension.reset();
    e->reset();
    idle_.push_back(e);
  }

  [[gnu::noinline]] void grow() {
    entry& e = entries_.emplace_back(this);
    Extension::begin(e, e.extension);
    idle_.push_back(&e);
  }

  std::deque<entry> entries_;  // addresses stay
  std::vector<entry*> idle_;
};

}  // namespace muster
