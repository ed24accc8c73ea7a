#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/refusal.h"
#include "tests/scenario/first_point.h"

namespace muster {

/// A small valid scenario; tests change single words of it.
inline const std::string sample = R"(name = "base"
[platform]
servers = [ { name = "node", cores = 32 } ]
[[classes]]
name = "light"
need = 1
share = 0.9
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "heavy"
need = 32
share = 0.1
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 7.0
[policy]
name = "msfq"
[run]
jobs = 1000
)";

/// A scenario of pooled jobs.
inline const std::string pooled_sample = R"(name = "pooled"
[platform]
servers = [ { name = "a", count = 2 }, { name = "b", cores = 2 } ]
[[classes]]
name = "x"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "y"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 3.0 }
servers = { random = 2 }
[arrivals]
rate = 1.0
[policy]
name = "balanced_fair"
theta = 0.5
[run]
jobs = 1000
)";

/// The text with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + from);
  return text.replace(at, from.size(), to);
}

/// The sample with the first `from` replaced.
inline std::string with(const std::string& from, const std::string& to) { return replaced(sample, from, to); }

inline study read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_study(text, "f.toml", overrides);
}

/// What is said of a text; nothing if it is valid.
inline std::string complaints(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return refusal<scenario_error>([&] { read(text, overrides); });
}

}  // namespace muster
