#include "tests/modules/device_client.h"

#include <cstring>
#include <random>
#include <sstream>

#include "tests/modules/child.h"
#include "tests/oracles/slotted_queue.h"

namespace muster {
namespace {

template <unsigned BUSWIDTH>
void every_register_by_4_and_8_bytes() {
  using namespace device_register;
  struct known {
    std::uint64_t address;
    bool read, write;
  };
  std::vector<known> all{{doorbell, false, true},        {tag, true, true},
                         {completions, true, false},     {outstanding, true, false},
                         {interrupt_enable, true, true}, {interrupt_cause, true, true},
                         {jobs_waiting, true, false},    {jobs_in_service, true, false},
                         {phase, true, false},           {pop, false, true},
                         {ring_base, true, true},        {ring_size, true, true},
                         {ring_head, true, true},        {ring_tail, true, false}};
  for (std::uint64_t word = 0; word < 4; ++word) all.push_back({completion + 8 * word, true, false});
  for (std::uint64_t word = 0; word < descriptor_words; ++word) all.push_back({descriptor + 8 * word, true, true});
  device_scene<BUSWIDTH> s{[&](auto& me) {
    std::uint64_t known_registers = 0;
    for (std::uint64_t address = 0; address < 0x1100; address += 8) {
      const auto found = std::find_if(all.begin(), all.end(), [&](const known& r) { return r.address == address; });
      const bool is_register = found != all.end();
      if (is_register) ++known_registers;
      for (const unsigned length : {4u, 8u})
        for (std::uint64_t at = address; at < address + 8; at += length) {
          EXPECT_EQ(me.read(at, length), 0u) << "reset value of " << at;
          EXPECT_EQ(me.status, !is_register  ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                               : found->read ? tlm::TLM_OK_RESPONSE
                                             : tlm::TLM_COMMAND_ERROR_RESPONSE)
              << at;
          me.write(at, 0, length);
          // A doorbell of 0 words and a pop of nothing are errors of their own.
          const bool acts = (address == doorbell || address == pop) && at == address;
          EXPECT_EQ(me.status, !is_register    ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                               : !found->write ? tlm::TLM_COMMAND_ERROR_RESPONSE
                               : acts          ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                               : tlm::TLM_OK_RESPONSE)
              << at;
        }
    }
    EXPECT_EQ(known_registers, all.size());
    for (const std::uint64_t at : {tag, ring_base, descriptor, descriptor + 8 * (descriptor_words - 1)}) {
      me.write(at, 0x1122334455667788);
      EXPECT_EQ(me.read(at), 0x1122334455667788u);
      EXPECT_EQ(me.read(at, 4), 0x55667788u);
      EXPECT_EQ(me.read(at + 4, 4), 0x11223344u);
      me.write(at + 4, 0xaabbccdd, 4);
      EXPECT_EQ(me.read(at), 0xaabbccdd55667788u);
      me.write(at, 0xeeff0011, 4);
      EXPECT_EQ(me.read(at), 0xaabbccddeeff0011u);
    }
  }};
  s.cluster.run();
  EXPECT_EQ(s.cluster.central.jobs_arrived(), 0u);
}

TEST(job_device, has_registers_of_4_and_8_bytes_on_a_bus_of_32_bits) { every_register_by_4_and_8_bytes<32>(); }

TEST(job_device, has_registers_of_4_and_8_bytes_on_a_bus_of_64_bits) { every_register_by_4_and_8_bytes<64>(); }

// One core. Job 7 of 100 and job 8 of 50 arrive at 10; the second ends at 160.
TEST(job_device,
     submits_a_descriptor_of_words_with_the_store_to_the_doorbell_and_holds_the_interrupt_until_all_is_taken) {
  using namespace device_register;
  device_scene<32>* here = nullptr;
  device_scene<32> s{[&](auto& me) {
    const auto line = [&] {
      sc_core::wait(sc_core::SC_ZERO_TIME);
      sc_core::wait(sc_core::SC_ZERO_TIME);
      return here->interrupt.read();
    };
    me.wait_until(10);
    me.submit(7, 100);
    me.submit(8, 50);
    me.write(doorbell + 4, 2, 4);  // the upper half submits nothing
    me.wait_until(20);
    EXPECT_EQ(me.read(jobs_waiting, 4), 1u);
    EXPECT_EQ(me.read(jobs_in_service, 4), 1u);
    EXPECT_EQ(me.read(outstanding, 4), 2u);
    EXPECT_EQ(me.read(completions, 4), 0u);
    me.wait_until(120);
    EXPECT_FALSE(line()) << "not enabled";
    me.write(interrupt_enable, device_interrupt::completion, 4);
    EXPECT_TRUE(line());
    EXPECT_EQ(me.read(interrupt_cause), device_interrupt::completion);
    EXPECT_EQ(me.front(), (job_completion{7, 0, 10, 110}));
    EXPECT_TRUE(line()) << "reading takes nothing";
    me.write(pop, 0, 4);
    EXPECT_FALSE(line());
    me.wait_until(159);
    EXPECT_FALSE(line());
    sc_core::wait(here->interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp().value(), 160u);
    me.submit(9, 5);
    me.wait_until(170);
    EXPECT_EQ(me.read(completions), 2u);
    EXPECT_EQ(me.front(), (job_completion{8, 0, 10, 160}));
    me.write(pop, 0);
    EXPECT_TRUE(line()) << "one is left";
    EXPECT_EQ(me.front(), (job_completion{9, 0, 160, 165}));
    me.write(interrupt_enable, 0);
    EXPECT_FALSE(line());
    me.write(interrupt_enable, device_interrupt::completion);
    me.write(pop, 0);
    EXPECT_FALSE(line());
    EXPECT_EQ(me.front(), job_completion{});
    EXPECT_EQ(me.read(outstanding), 0u);
  }};
  here = &s;
  s.cluster.run();
  EXPECT_EQ(s.cluster.central.jobs_arrived(), 3u);
}

// Eleven jobs of 10 in a ring of 4, whose client looks at 200 for the first time and then takes one at a time.
TEST(job_device, writes_completions_to_a_ring_that_wraps_and_loses_none_when_it_is_full) {
  using namespace device_register;
  constexpr std::uint64_t jobs = 11, base = 64;
  device_scene<64> s{[&](auto& me) {
    me.memory_latency = 3;
    me.write(ring_base, base);
    EXPECT_EQ(me.write(ring_size, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(me.write(ring_base, 0), tlm::TLM_GENERIC_ERROR_RESPONSE) << "while there is a ring";
    EXPECT_EQ(me.write(pop, 0), tlm::TLM_GENERIC_ERROR_RESPONSE) << "while there is a ring";
    for (std::uint64_t n = 0; n < jobs; ++n) me.submit(100 + n, 10);
    me.wait_until(200);
    EXPECT_EQ(me.read(ring_tail), 4u);
    EXPECT_EQ(me.read(completions), 4u);
    EXPECT_EQ(me.read(outstanding), jobs);
    EXPECT_EQ(me.write(ring_head, 5), tlm::TLM_GENERIC_ERROR_RESPONSE) << "beyond the tail";
    EXPECT_EQ(me.read(ring_head), 0u);
    for (std::uint64_t n = 0; n < jobs; ++n) {
      EXPECT_EQ(me.entry(base, n % 4), (job_completion{100 + n, 0, 0, 10 * (n + 1)}));
      EXPECT_EQ(me.write(ring_head, n + 1, 4), tlm::TLM_OK_RESPONSE);
      me.wait_until(200 + 10 * (n + 1));
      EXPECT_EQ(me.read(ring_tail), std::min(n + 5, jobs));
    }
    EXPECT_EQ(me.read(outstanding), 0u);
    EXPECT_EQ(me.entry(base, 4), job_completion{}) << "behind the ring";
    // A ring of another size begins at its first place; without one the completion is in the registers.
    EXPECT_EQ(me.write(ring_size, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(me.read(ring_tail), 0u);
    me.submit(200, 10);
    me.wait_until(330);
    EXPECT_EQ(me.entry(base, 0).tag, 200u);
    me.write(ring_head, 1);
    me.write(ring_size, 0);
    me.submit(201, 10);
    me.wait_until(350);
    EXPECT_EQ(me.front(), (job_completion{201, 0, 330, 340}));
    me.write(pop, 0);
  }};
  s.cluster.run();
  EXPECT_EQ(s.cluster.central.jobs_completed(), jobs + 2);
}

TEST(job_device, keeps_a_completion_that_the_memory_refuses_and_interrupts) {
  using namespace device_register;
  device_scene<32>* here = nullptr;
  device_scene<32> s{[&](auto& me) {
    me.write(ring_size, 3);
    EXPECT_EQ(me.status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "not a power of 2";
    me.write(ring_size, 2 * most_in_ring);
    EXPECT_EQ(me.status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "too large";
    me.write(ring_size, 2);
    EXPECT_EQ(me.status, tlm::TLM_OK_RESPONSE);
    me.write(interrupt_enable, device_interrupt::memory_error);
    me.memory_refuses = true;
    me.submit(1, 10);
    sc_core::wait(here->interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp().value(), 10u);
    EXPECT_EQ(me.read(interrupt_cause), device_interrupt::memory_error | device_interrupt::completion);
    EXPECT_EQ(me.read(ring_size), 0u);
    EXPECT_EQ(me.front(), (job_completion{1, 0, 0, 10}));
    me.write(interrupt_cause, device_interrupt::completion);
    EXPECT_EQ(me.read(interrupt_cause), device_interrupt::memory_error | device_interrupt::completion);
    me.write(interrupt_cause, device_interrupt::memory_error);
    EXPECT_EQ(me.read(interrupt_cause), device_interrupt::completion);
    me.wait_until(20);
    EXPECT_FALSE(here->interrupt.read());
    me.write(pop, 0);
  }};
  here = &s;
  s.cluster.run();
}

TEST(job_device, refuses_accesses_and_reports_jobs_that_the_scheduler_refuses) {
  using namespace device_register;
  device_scene<32> s{[](auto& me) {
    unsigned char enables = 0xff;
    std::array<std::uint64_t, 2> data{};
    tlm::tlm_generic_payload p;
    const auto access = [&](std::uint64_t address, unsigned length) {
      prepare(p, tlm::TLM_WRITE_COMMAND, address, data.data(), length);
    };
    access(tag, 4);
    p.set_byte_enable_ptr(&enables);
    p.set_byte_enable_length(1);
    EXPECT_EQ(me.send(p), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    for (const unsigned length : {1u, 2u, 6u, 16u}) {
      access(tag, length);
      EXPECT_EQ(me.send(p), tlm::TLM_BURST_ERROR_RESPONSE) << length;
    }
    access(tag, 8);
    p.set_streaming_width(4);
    EXPECT_EQ(me.send(p), tlm::TLM_BURST_ERROR_RESPONSE);
    access(tag + 2, 4);
    EXPECT_EQ(me.send(p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    access(tag + 4, 8);
    EXPECT_EQ(me.send(p), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    access(tag, 4);
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(me.send(p), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(me.write(doorbell, descriptor_words + 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(me.read(outstanding), 0u);

    const auto status_of_job = [&](std::uint64_t type, std::uint64_t size, std::uint64_t words) {
      me.write(descriptor, type);
      me.write(descriptor + 8, size);
      EXPECT_EQ(me.write(doorbell, words), tlm::TLM_OK_RESPONSE);
      sc_core::wait(to_sc_time(20));
      EXPECT_EQ(me.read(completions), 1u);
      const std::uint64_t answer = me.front().status;
      me.write(pop, 0);
      return answer;
    };
    EXPECT_EQ(status_of_job(0, 10, 2), 0u);
    EXPECT_EQ(status_of_job(5, 10, 2), 1u) << "no such class";
    EXPECT_EQ(status_of_job(0, 0, 2), 1u) << "no size";
    EXPECT_EQ(status_of_job(0, 10, 1), 4u) << "one word";
    EXPECT_EQ(status_of_job(0, 10, 3), 4u) << "three words";
  }};
  s.cluster.run();
  EXPECT_EQ(s.cluster.central.jobs_arrived(), 1u);
}

TEST(job_device, submits_at_the_time_of_the_delay_and_completes_through_links) {
  using namespace device_register;
  layout l;
  l.latency = 4;
  device_scene<32> s{[](auto& me) {
                       me.write(descriptor + 8, 10);
                       me.write(doorbell, 2, 4, 25);
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 25u);
                       me.wait_until(100);
                       EXPECT_EQ(me.front(), (job_completion{0, 0, 25, 25 + 4 + 10 + 4}));
                       me.write(pop, 0);
                     },
                     l};
  s.cluster.run();
}

TEST(job_device, is_looked_at_by_debug_transport_without_side_effects) {
  using namespace device_register;
  device_scene<32> s{[](auto& me) {
    for (std::uint64_t n = 0; n < 2; ++n) me.submit(40 + n, 10);
    me.wait_until(15);
    std::array<std::uint64_t, 4> words{};
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_READ_COMMAND, completion, words.data(), sizeof words);
    EXPECT_EQ(me.bus->transport_dbg(p), sizeof words);
    EXPECT_EQ(words, (std::array<std::uint64_t, 4>{40, 0, 0, 10}));
    prepare(p, tlm::TLM_READ_COMMAND, jobs_in_service, words.data(), 4);
    EXPECT_EQ(me.bus->transport_dbg(p), 4u);
    EXPECT_EQ(words[0], 1u);
    prepare(p, tlm::TLM_READ_COMMAND, doorbell, words.data(), 8);
    EXPECT_EQ(me.bus->transport_dbg(p), 0u);
    prepare(p, tlm::TLM_WRITE_COMMAND, tag, words.data(), 8);
    EXPECT_EQ(me.bus->transport_dbg(p), 0u) << "it writes nothing";
    EXPECT_EQ(me.read(tag), 41u);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(me.bus->get_direct_mem_ptr(p, dmi));
    EXPECT_EQ(me.read(completions), 1u);
    me.write(pop, 0);
    me.wait_until(25);
    me.write(pop, 0);
  }};
  s.cluster.run();
}

std::uint64_t word_of(double utility) {
  std::uint64_t word = 0;
  std::memcpy(&word, &utility, sizeof word);
  return word;
}

std::vector<oracle::slotted_job> random_slotted_jobs(std::mt19937_64& random, ticks slot) {
  std::vector<oracle::slotted_job> jobs(1 + random() % 12);
  ticks at = 0;
  for (oracle::slotted_job& j : jobs) {
    j.arrival = at += random() % 4 == 0 ? random() % (3 * slot) : slot * (random() % 2);
    j.deadline = random() % 4 == 0 ? 0 : (at + slot - 1) / slot + 1 + random() % 4;
    j.gains.resize(1 + random() % 6);
    for (double& gain : j.gains) gain = static_cast<double>(random() % 5);
  }
  return jobs;
}

/// Submits slotted jobs, each tagged with its number, and takes their completions at the end.
template <unsigned BUSWIDTH>
void serve_slotted_jobs(device_client<BUSWIDTH>& me, const std::vector<oracle::slotted_job>& jobs, ticks slot,
                        bool by_ring, std::vector<job_completion>& found) {
  using namespace device_register;
  if (by_ring) {
    me.write(ring_base, 64);
    me.write(ring_size, 16);
  }
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    const oracle::slotted_job& j = jobs[n];
    me.wait_until(j.arrival);
    std::vector<std::uint64_t> words{0, j.gains.size() * slot, j.deadline};
    for (const double gain : j.gains) words.push_back(word_of(gain));
    me.write(tag, n);
    for (std::size_t w = 0; w < words.size(); ++w) me.write(descriptor + 8 * w, words[w]);
    EXPECT_EQ(me.write(doorbell, words.size()), tlm::TLM_OK_RESPONSE);
  }
  me.wait_until(100 * slot);
  EXPECT_EQ(me.read(completions), jobs.size());
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    found.push_back(by_ring ? me.entry(64, n) : me.front());
    EXPECT_EQ(by_ring ? me.write(ring_head, n + 1) : me.write(pop, 0), tlm::TLM_OK_RESPONSE);
  }
  EXPECT_EQ(me.read(outstanding), 0u);
}

TEST(job_device, tells_of_slotted_jobs_when_each_left_and_which_expired_as_a_loop_over_all_slots) {
  unsigned expired = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random{seed};
    const ticks slot = 100;
    const std::vector<oracle::slotted_job> jobs = random_slotted_jobs(random, slot);
    layout l;
    l.groups = {{"machine", 1 + seed % 3, 1, 1.0}};
    l.policy = seed % 2 == 0 ? "edf" : "fifo";
    l.slot = slot;
    const auto rule = seed % 2 == 0 ? oracle::slot_policy::edf : oracle::slot_policy::fifo;
    const auto expected = oracle::serve_slots(1 + seed % 3, slot, 0, jobs, rule);
    for (const oracle::slotted_outcome& o : expected) expired += o.expired ? 1 : 0;
    EXPECT_EQ(in_child([&]() -> std::string {
                std::vector<job_completion> found;
                device_scene<32> s{[&](auto& me) { serve_slotted_jobs(me, jobs, slot, seed % 4 < 2, found); }, l};
                s.cluster.run();
                std::ostringstream wrong;
                for (const job_completion& c : found) {
                  const oracle::slotted_outcome& o = expected.at(c.tag);
                  const job_completion right{c.tag, o.expired ? 1u : 0u, jobs[c.tag].arrival, o.left};
                  if (!(c == right)) wrong << c << "; expected " << right << '\n';
                }
                return wrong.str() + std::to_string(found.size());
              }),
              std::to_string(jobs.size()))
        << "seed " << seed;
  }
  EXPECT_GT(expired, 30u);
}

}  // namespace
}  // namespace muster
