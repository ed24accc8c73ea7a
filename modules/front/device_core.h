#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <boost/container/small_vector.hpp>
#include <systemc>
#include <tlm>

#include "muster/modules/front/completion_queue.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/handshake.h"

namespace muster {

/// The words of a job that a device has submitted, and what its completion will say.
struct device_job : tlm::tlm_extension<device_job> {
  static void begin(tlm::tlm_generic_payload& p, device_job&);
  void reset() { words.clear(); }
  tlm::tlm_extension_base* clone() const override { return new device_job{*this}; }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const device_job&>(from); }

  boost::container::small_vector<std::uint64_t, 8> words;
  job_completion completion;
};

/// What a job_device does whatever the width of its bus: see there.
class device_core : public sc_core::sc_module, private initiator_hop<device_core> {
 public:
  /// Towards the scheduler.
  tlm_utils::simple_initiator_socket<device_core> submissions{"submissions"};
  /// High while a cause is set that is enabled. It follows a register within two delta cycles.
  sc_core::sc_out<bool> interrupt{"interrupt"};

  SC_HAS_PROCESS(device_core);
  explicit device_core(const sc_core::sc_module_name& name);

 protected:
  using payload = tlm::tlm_generic_payload;

  /// Reads or writes a register. Waits for the delay, if there is one.
  void access(payload& p, sc_core::sc_time& delay);
  /// Reads registers without side effects. @return bytes read
  unsigned look(payload& p);

 private:
  friend class initiator_hop<device_core>;

  virtual bool has_memory() const = 0;
  virtual void write_memory(payload& p, sc_core::sc_time& delay) = 0;

  /// @name Registers, by the address of their first byte
  /// @{
  tlm::tlm_response_status status_of(payload& p);
  tlm::tlm_response_status read(std::uint64_t address, unsigned char* data, unsigned length);
  tlm::tlm_response_status write(std::uint64_t address, const unsigned char* data, unsigned length);
  tlm::tlm_response_status act(std::uint64_t address, std::uint64_t value);
  /// A word that is stored as it is written; null: the register is none of these.
  std::uint64_t* stored(std::uint64_t address);
  /// Nothing: no register can be read there. @param debug no time passes
  std::optional<std::uint64_t> value(std::uint64_t address, bool debug);
  std::optional<std::uint64_t> read_scheduler(std::uint64_t address, bool debug);
  /// @}

  tlm::tlm_response_status submit(std::uint64_t words);
  std::uint64_t causes() const;

  /// @name Processes
  /// @{
  void take_responses();
  void write_ring();
  void drive_interrupt();
  /// @}

  /// @name Called by initiator_hop
  /// @{
  tlm::tlm_sync_enum call(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return submissions->nb_transport_fw(p, phase, delay);
  }
  static sc_core::sc_time lead() { return sc_core::SC_ZERO_TIME; }
  bool in_progress(const payload& p) const { return pool_.in_progress(p); }
  void responds(payload& p, const sc_core::sc_time& delay) {
    pool_.end(p);
    responses_.notify(p, delay);
  }
  void responds_at_once(payload& p, tlm::tlm_sync_enum, const sc_core::sc_time& delay) { responds(p, delay); }
  [[noreturn]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase, const payload& p) const;
  /// @}

  tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return receive_answer(p, phase, delay);
  }

  transaction_pool<device_job> pool_;
  tlm_utils::peq_with_get<payload> responses_{"responses"};  // until the time of their delay
  completion_queue completions_;
  sc_core::sc_event changed_{"changed"};  // completions, or what the interrupt depends on
  std::array<std::uint64_t, device_register::descriptor_words> descriptor_{};
  std::uint64_t tag_ = 0, base_ = 0, enabled_ = 0, in_progress_ = 0;
  bool memory_error_ = false;
};

}  // namespace muster
