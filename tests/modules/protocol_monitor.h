#pragma once

#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "modules/protocol.h"

namespace muster {

/// Fits into one hop and checks what the base protocol says of it: phases in order and in time, one request and one
/// response unanswered at most, attributes as the initiator has set them, the response status set by the target.
class protocol_monitor : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<protocol_monitor> in{"in"};
  tlm_utils::simple_initiator_socket<protocol_monitor> out{"out"};

  explicit protocol_monitor(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_nb_transport_fw(this, &protocol_monitor::forward);
    in.register_b_transport(this, &protocol_monitor::blocking);
    in.register_transport_dbg(this, &protocol_monitor::debug);
    out.register_nb_transport_bw(this, &protocol_monitor::backward);
  }

  std::size_t open_transactions() const { return open_.size(); }
  std::uint64_t transactions = 0, productive = 0, errors = 0;

 private:
  using payload = tlm::tlm_generic_payload;
  enum class stage { requested, accepted, responding };

  struct attributes {
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned char* data;
    unsigned length, width;
    unsigned char* enables;
    std::vector<unsigned char> written;

    explicit attributes(const payload& p)
        : command(p.get_command()),
          address(p.get_address()),
          data(p.get_data_ptr()),
          length(p.get_data_length()),
          width(p.get_streaming_width()),
          enables(p.get_byte_enable_ptr()) {
      if (p.is_write()) written.assign(data, data + length);
    }
    bool operator==(const attributes& o) const {
      return command == o.command && address == o.address && data == o.data && length == o.length && width == o.width &&
             enables == o.enables && written == o.written;
    }
  };

  struct transaction {
    attributes sent;
    stage at = stage::requested;
    sc_core::sc_time latest;
    bool productive = false;
  };

  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      ++transactions;
      EXPECT_EQ(open_.count(&p), 0u) << "a payload is submitted again before its end";
      EXPECT_EQ(request_, nullptr) << "a second request before the first was answered";
      EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
      EXPECT_FALSE(p.is_dmi_allowed());
      EXPECT_GE(p.get_streaming_width(), 1u);
      EXPECT_TRUE(p.has_mm());
      EXPECT_GE(p.get_ref_count(), 1);
      open_.emplace(&p, transaction{attributes{p}, stage::requested, sc_core::sc_time_stamp() + delay, false});
      request_ = &p;
    } else if (phase == tlm::END_RESP) {
      EXPECT_EQ(response_, &p) << "END_RESP for another than the outstanding response";
      end(p);
    }
    const bool request = phase == tlm::BEGIN_REQ;
    const tlm::tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
    if (!request) return answer;
    if (answer == tlm::TLM_UPDATED) see_backward(p, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
      see_response(p);
      end(p);
    }
    return answer;
  }

  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    see_backward(p, phase, delay);
    const bool response = phase == tlm::BEGIN_RESP;
    const tlm::tlm_sync_enum answer = in->nb_transport_bw(p, phase, delay);
    if (response && (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))) end(p);
    return answer;
  }

  void blocking(payload& p, sc_core::sc_time& delay) {
    const attributes before{p};
    out->b_transport(p, delay);
    EXPECT_TRUE(attributes{p} == before);
    EXPECT_NE(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  }

  unsigned debug(payload& p) { return out->transport_dbg(p); }

  void see_backward(payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    const auto found = open_.find(&p);
    if (found == open_.end()) {
      ADD_FAILURE() << phase.get_name() << " of a transaction that is not under way";
      return;
    }
    transaction& t = found->second;
    EXPECT_GE(sc_core::sc_time_stamp() + delay, t.latest) << phase.get_name() << " goes back in time";
    t.latest = sc_core::sc_time_stamp() + delay;
    EXPECT_GE(p.get_ref_count(), 1);
    if (phase == tlm::END_REQ) {
      EXPECT_EQ(t.at, stage::requested) << "END_REQ twice or too late";
      EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
      t.at = stage::accepted;
      if (request_ == &p) request_ = nullptr;
    } else if (phase == tlm::BEGIN_RESP) {
      EXPECT_NE(t.at, stage::responding) << "BEGIN_RESP twice";
      EXPECT_EQ(response_, nullptr) << "a second response before the first was answered";
      if (request_ == &p) request_ = nullptr;
      t.at = stage::responding;
      response_ = &p;
      see_response(p);
    } else if (phase == slice_productive) {
      EXPECT_EQ(t.at, stage::accepted);
      EXPECT_FALSE(t.productive) << "slice_productive twice";
      t.productive = true;
      ++productive;
    }
  }

  void see_response(payload& p) {
    EXPECT_NE(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    if (p.is_response_error()) ++errors;
    const auto found = open_.find(&p);
    if (found == open_.end() || !p.is_write()) return;
    EXPECT_TRUE(attributes{p} == found->second.sent) << "the attributes of a payload were changed on its way";
  }

  void end(payload& p) {
    if (request_ == &p) request_ = nullptr;
    if (response_ == &p) response_ = nullptr;
    open_.erase(&p);
  }

  std::map<const payload*, transaction> open_;
  const payload* request_ = nullptr;   // unanswered
  const payload* response_ = nullptr;  // unanswered
};

}  // namespace muster
