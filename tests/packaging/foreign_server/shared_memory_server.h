#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

/// Stands in for a server of muster: its cores share one memory, so that each of n slices runs at 1/n of its speed. It
/// reads the slice's words by the register map of modules/docs/interface.md, and includes nothing of muster.
class shared_memory_server : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<shared_memory_server> socket{"socket"};

  explicit shared_memory_server(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(shared_memory_server);
    socket.register_nb_transport_fw(this, &shared_memory_server::forward);
    SC_METHOD(take_in);
    sensitive << arriving_.get_event();
    dont_initialize();
    SC_METHOD(finish_slices);
    sensitive << first_is_done_;
    dont_initialize();
    SC_THREAD(respond);
  }

 private:
  struct slice {
    tlm::tlm_generic_payload* transaction;
    double left;  // time that it would take alone
  };
  /// What the scheduler writes to a server's doorbell; more may follow.
  struct slice_words {
    std::uint64_t job, cores, duration;
  };

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      response_ended_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (!p.is_write() || p.get_address() != 0x00 || p.get_data_length() < sizeof(slice_words)) {
      p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    p.acquire();
    arriving_.notify(p, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  void take_in() {
    progress();
    while (tlm::tlm_generic_payload* p = arriving_.get_next_transaction()) {
      slice_words words;
      std::memcpy(&words, p->get_data_ptr(), sizeof words);
      running_.push_back({p, static_cast<double>(words.duration)});
    }
    await_first();
  }

  void finish_slices() {
    progress();
    const auto done =
        std::stable_partition(running_.begin(), running_.end(), [](const slice& s) { return s.left > 0.5; });
    for (auto s = done; s != running_.end(); ++s) finished_.push_back(s->transaction);
    running_.erase(done, running_.end());
    some_are_finished_.notify();
    await_first();
  }

  // One response at a time, as the base protocol asks.
  void respond() {
    for (;; wait(some_are_finished_))
      while (!finished_.empty()) {
        tlm::tlm_generic_payload& p = *finished_.front();
        finished_.erase(finished_.begin());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        if (socket->nb_transport_bw(p, phase, delay) == tlm::TLM_ACCEPTED) wait(response_ended_);
        p.release();
      }
  }

  void progress() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    for (slice& s : running_)
      s.left -= static_cast<double>((now - since_).value()) / static_cast<double>(running_.size());
    since_ = now;
  }

  void await_first() {
    first_is_done_.cancel();
    if (running_.empty()) return;
    const auto first = std::min_element(running_.begin(), running_.end(),
                                        [](const slice& a, const slice& b) { return a.left < b.left; });
    const double time = std::max(0.0, first->left) * static_cast<double>(running_.size());
    first_is_done_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(time + 0.5)));
  }

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> arriving_{"arriving"};
  std::vector<slice> running_;
  std::vector<tlm::tlm_generic_payload*> finished_;
  sc_core::sc_time since_;
  sc_core::sc_event first_is_done_, some_are_finished_, response_ended_;
};
