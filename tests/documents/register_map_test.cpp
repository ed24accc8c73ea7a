#include <fmt/format.h>

#include "muster/modules/front/device_registers.h"
#include "muster/modules/protocol/protocol.h"
#include "tests/documents/document.h"

namespace muster {
namespace {

const std::string text = content_of(tree / "modules/docs/interface.md");

/// The offset in the first column of the table of that heading, in the row that has the words.
std::string offset_of(const std::string& heading, const std::string& words) {
  const std::size_t table = text.find("\n| " + heading);
  const std::size_t row = text.rfind("\n| `", text.find(words, table));
  EXPECT_NE(table, std::string::npos);
  return text.substr(row + 4, text.find('`', row + 4) - row - 4);
}

TEST(documents, register_map_is_that_of_the_modules) {
  const auto expect = [](const char* table, const char* words, std::uint64_t offset) {
    EXPECT_EQ(offset_of(table, words), fmt::format("0x{:02x}", offset)) << words;
  };
  expect("scheduler | | |", "a job arrives", scheduler_register::doorbell);
  expect("scheduler | | |", "jobs in the queue", scheduler_register::jobs_waiting);
  expect("scheduler | | |", "jobs that hold cores", scheduler_register::jobs_in_service);
  expect("scheduler | | |", "phase of the policy", scheduler_register::phase);
  expect("scheduler | | |", "that no job holds", scheduler_register::idle_cores);
  expect("scheduler | | |", "job that waits longest", scheduler_register::withdrawal);
  expect("server n", "a slice starts", server_register::doorbell);
  expect("server n", "ends unfinished", server_register::stop);
  expect("server n", "of no use any more", server_register::release);
  expect("server n", "idle cores", server_register::idle_cores);
  expect("server n", "held and productive", server_register::running_cores);
  expect("server n", "how often it has failed", server_register::until_failed);
  expect("server n", "when it is in order again", server_register::until_repaired);
  EXPECT_NE(text.find(fmt::format("n * `0x{:x}`", server_register::stride)), std::string::npos);
}

TEST(documents, data_sheet_of_the_device_has_its_registers) {
  const std::string sheet = content_of(tree / "modules/docs/device.md");
  const auto expect = [&](const char* name, std::uint64_t offset) {
    EXPECT_NE(sheet.find(fmt::format("\n| `0x{:03x}` | {}", offset, name)), std::string::npos) << name;
  };
  expect("DOORBELL |", device_register::doorbell);
  expect("TAG |", device_register::tag);
  expect("COMPLETIONS |", device_register::completions);
  expect("OUTSTANDING |", device_register::outstanding);
  expect("INTERRUPT_ENABLE |", device_register::interrupt_enable);
  expect("INTERRUPT_CAUSE |", device_register::interrupt_cause);
  expect("JOBS_WAITING |", device_register::jobs_waiting);
  expect("JOBS_IN_SERVICE |", device_register::jobs_in_service);
  expect("PHASE |", device_register::phase);
  expect("COMPLETION, ", device_register::completion);
  expect("POP |", device_register::pop);
  expect("RING_BASE |", device_register::ring_base);
  expect("RING_SIZE |", device_register::ring_size);
  expect("RING_HEAD |", device_register::ring_head);
  expect("RING_TAIL |", device_register::ring_tail);
  expect("DESCRIPTOR, ", device_register::descriptor);
}

}  // namespace
}  // namespace muster
