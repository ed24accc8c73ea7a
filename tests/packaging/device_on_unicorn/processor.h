#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <unicorn/unicorn.h>
#include <systemc>
#include <tlm>

/// A processor of RV32 with 64 KB of memory. Unicorn executes a quantum of instructions, then as much time passes.
/// Loads and stores from 0x10000000 on go over `bus`. Others write to the memory over `memory`.
class processor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<processor, 32> bus{"bus"};
  tlm_utils::simple_target_socket<processor, 32> memory{"memory"};
  sc_core::sc_in<bool> interrupt{"interrupt"};
  std::uint32_t result = ~0u;
  unsigned interrupts = 0;

  SC_HAS_PROCESS(processor);
  processor(const sc_core::sc_module_name& name, const char* program) : sc_module(name), memory_(0x10000) {
    memory.register_b_transport(this, &processor::access_memory);
    std::ifstream file(program, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
    if (image.empty() || image.size() > memory_.size()) throw std::runtime_error("no program of at most 64 KB");
    std::copy(image.begin(), image.end(), memory_.begin());
    check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &engine_));
    check(uc_mem_map_ptr(engine_, 0, memory_.size(), UC_PROT_ALL, memory_.data()));
    check(uc_mmio_map(engine_, 0x10000000, 0x1000, load, this, store, this));
    check(uc_mmio_map(engine_, 0x20000000, 0x1000, nullptr, nullptr, halt, this));
    set(UC_RISCV_REG_PC, 0);
    SC_THREAD(run);
    set_stack_size(1 << 20);
  }
  ~processor() override { uc_close(engine_); }

 private:
  static void check(uc_err error) {
    if (error != UC_ERR_OK) throw std::runtime_error(uc_strerror(error));
  }

  void run() {
    constexpr std::size_t quantum = 100;  // instructions, of 1 ns each
    while (result == ~0u) {
      check(uc_emu_start(engine_, register_of(UC_RISCV_REG_PC), ~0ull, 0, quantum));
      wait(static_cast<double>(quantum), sc_core::SC_NS);
      if (interrupt.read()) take_interrupt();
    }
  }

  // As the privileged architecture has it, where interrupts are enabled (MIE): the handler's end, mret, enables them
  // again.
  void take_interrupt() {
    constexpr std::uint32_t mie = 1u << 3, mpie = 1u << 7, mpp = 3u << 11;
    const std::uint32_t status = register_of(UC_RISCV_REG_MSTATUS);
    if (!(status & mie)) return;
    ++interrupts;
    set(UC_RISCV_REG_MSTATUS, (status & ~mie) | mpie | mpp);
    set(UC_RISCV_REG_MEPC, register_of(UC_RISCV_REG_PC));
    set(UC_RISCV_REG_PC, register_of(UC_RISCV_REG_MTVEC));
  }

  std::uint32_t register_of(int which) const {
    std::uint64_t value = 0;
    check(uc_reg_read(engine_, which, &value));
    return static_cast<std::uint32_t>(value);
  }
  void set(int which, std::uint64_t value) { check(uc_reg_write(engine_, which, &value)); }

  // Unicorn's calls for the addresses of devices. They are made on the thread of run(), which may wait in them.
  static std::uint64_t load(uc_engine*, std::uint64_t offset, unsigned size, void* me) {
    std::uint64_t value = 0;
    static_cast<processor*>(me)->transfer(tlm::TLM_READ_COMMAND, offset, &value, size);
    return value;
  }
  static void store(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* me) {
    static_cast<processor*>(me)->transfer(tlm::TLM_WRITE_COMMAND, offset, &value, size);
  }
  static void halt(uc_engine* engine, std::uint64_t, unsigned, std::uint64_t value, void* me) {
    static_cast<processor*>(me)->result = static_cast<std::uint32_t>(value);
    uc_emu_stop(engine);
  }

  void transfer(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(length);
    p.set_streaming_width(length);
    sc_core::sc_time delay;
    bus->b_transport(p, delay);
    if (p.is_response_error()) throw std::runtime_error("the bus answers " + p.get_response_string());
  }

  // What the device writes.
  void access_memory(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (!p.is_write() || p.get_address() + p.get_data_length() > memory_.size()) return;
    std::copy_n(p.get_data_ptr(), p.get_data_length(), &memory_[p.get_address()]);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::vector<unsigned char> memory_;
  uc_engine* engine_ = nullptr;
};
