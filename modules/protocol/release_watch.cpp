#include "muster/modules/protocol/release_watch.h"

#include <algorithm>

namespace muster {

using namespace sc_core;
using namespace tlm;

/// The extension by which a payload tells that it returns. Payloads pass several hops: all of them share it.
class release_watch::mark final : public tlm_extension<mark> {
 public:
  explicit mark(const tlm_generic_payload& carrier) : carrier_(carrier) {}

  void add(release_watch& watch) {
    if (std::find(watches_.begin(), watches_.end(), &watch) == watches_.end()) watches_.push_back(&watch);
  }
  void remove(const release_watch& watch) {
    watches_.erase(std::remove(watches_.begin(), watches_.end(), &watch), watches_.end());
  }

  bool in_transaction() const {
    return std::any_of(watches_.begin(), watches_.end(), [this](const release_watch* watch) {
      const auto seen = watch->held_.find(&carrier_);
      return seen != watch->held_.end() && !seen->second.of.has_ended;
    });
  }

  // A copy of the payload is another payload, which was not seen.
  tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm_extension_base&) override {}
  void free() override { delete this; }

 private:
  ~mark() override {
    for (release_watch* watch : watches_) watch->returned(&carrier_);
  }

  const tlm_generic_payload& carrier_;
  std::vector<release_watch*> watches_;
};

release_watch::~release_watch() {
  for (auto& [object, seen] : held_) seen.on_payload->remove(*this);
}

void release_watch::begins(tlm_generic_payload& p, std::uint64_t number, const sc_time& at) {
  if (!p.has_mm()) return;
  mark* on_payload = p.get_extension<mark>();
  if (!on_payload) {
    on_payload = new mark{p};  // the payload's from here on
    p.set_auto_extension(on_payload);
  }
  on_payload->add(*this);
  const holding now{transaction_name{p}, number, at, at, p.get_ref_count()};
  const auto [seen, is_new] = held_.try_emplace(&p, entry{now, on_payload});
  if (is_new) return;
  seen->second = {now, on_payload};
  seen->second.of.kept = true;
}

void release_watch::ends(const tlm_generic_payload* object, std::uint64_t number, const sc_time& at) {
  const auto seen = held_.find(object);
  if (seen == held_.end() || seen->second.of.number != number) return;
  holding& of = seen->second.of;
  of.has_ended = true;
  of.ended = at;
  of.references_at_end = object->get_ref_count();
}

std::vector<release_watch::holding> release_watch::unreleased() const {
  std::vector<holding> found;
  for (const auto& [object, seen] : held_) {
    if (seen.on_payload->in_transaction()) continue;
    const int expected = seen.of.kept ? seen.of.references_at_request : 0;
    if (object->get_ref_count() <= expected) continue;
    found.push_back(seen.of);
    found.back().references = object->get_ref_count();
  }
  std::sort(found.begin(), found.end(), [](const holding& a, const holding& b) { return a.number < b.number; });
  return found;
}

}  // namespace muster
