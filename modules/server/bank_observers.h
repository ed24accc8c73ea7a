#pragma once

#include "muster/modules/protocol/stage_observer.h"
#include "muster/modules/server/server_observer.h"

namespace muster {

/// The observers of the slices of a bank: one that sees the slices as a whole, and one that sees their stages alone.
class bank_observers {
 public:
  /// Sets the observer that sees slices as a whole.
  /// @param observer null: none @param bank number by which slices are shown to it
  void observe(server_observer* observer, std::uint32_t bank) {
    observer_ = observer;
    bank_ = bank;
    sees_all_ = always_ || observer_;
    any_ = sees_all_ || stages_;
  }
  /// Sets the observer that sees stages. @param observer outlives the bank
  void tell_stages(stage_observer& observer) {
    stages_ = &observer;
    any_ = true;
  }

  /// Lets any() and see_all() be true also without an observer.
  void show_always() { always_ = sees_all_ = any_ = true; }

  bool any() const { return any_; }
  std::uint32_t bank() const { return bank_; }

  /// Whether slices are to be shown as a whole, to an observer or the bank itself, and not their stages alone.
  bool see_all() const { return sees_all_; }
  /// Whether there is an observer that sees slices as a whole.
  bool has_observer() const { return observer_ != nullptr; }
  /// Shows that a slice moves from one stage to another. @param holder null: the dispatch came from outside muster
  void show_stage(slice_stage from, slice_stage to, const job_extension* holder, ticks now) const {
    if (stages_ && holder) stages_->slice_moves(now, *holder, from, to);
  }
  /// Shows that a slice moves from one stage to another, where has_observer() is true.
  void show_all(slice_stage from, slice_stage to, const slice_view& slice, ticks now) const {
    if (from == slice_stage::outbound)
      observer_->slice_begins(now, slice);
    else if (to == slice_stage::running)
      observer_->slice_works(now, slice);
    else if (to == slice_stage::returning)
      observer_->slice_ends(now, slice);
    else if (from == slice_stage::running)
      observer_->slice_saves(now, slice);
    show_stage(from, to, slice.holder, now);
  }

 private:
  bool any_ = false;
  bool sees_all_ = false;
  bool always_ = false;  // whether the bank follows the stages itself
  server_observer* observer_ = nullptr;
  std::uint32_t bank_ = 0;  // number of the bank, as the observer knows it
  stage_observer* stages_ = nullptr;
};

}  // namespace muster
