#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platform/scenario/scenario_file.h"

/// Whatever the text: a study, whose resolved text reads back alike, or a scenario_error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const muster::study once = muster::read_study(text, "fuzz.toml", {});
    if (muster::read_study(once.resolved, "resolved.toml", {}).resolved != once.resolved) __builtin_trap();
  } catch (const muster::scenario_error&) {
  }
  return 0;
}
