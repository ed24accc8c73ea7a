#include "platform/imported_fmu/fmu_messages.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t longest_message = 1000, longest_told = 200;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The text with # in place of each number, its sign, decimal point and exponent included.
std::string shape_of(const std::string& text) {
  std::string shape;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_signed = (text[at] == '-' || text[at] == '+') && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_digit(text[at]) && !is_signed) {
      shape += text[at++];
      continue;
    }
    shape += '#';
    for (++at; at < text.size(); ++at) {
      const char c = text[at], before = text[at - 1];
      const bool digit_follows = at + 1 < text.size() && is_digit(text[at + 1]);
      const bool exponent = (c == 'e' || c == 'E') && at + 1 < text.size() &&
                            (digit_follows || text[at + 1] == '-' || text[at + 1] == '+');
      const bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E') && digit_follows;
      if (!is_digit(c) && !(c == '.' && digit_follows) && !exponent && !sign) break;
    }
  }
  return shape;
}

}  // namespace

void fmu_messages::add(const std::string& text, severity of) {
  (of == severity::failure ? latest_of_failure_ : latest_) = printable(text, longest_message);
  if (of == severity::failure) return;
  std::string shape = shape_of(text);
  const bool warns = of == severity::warning;
  const auto same =
      std::find_if(told_.begin(), told_.end(), [&](const told& t) { return t.warns == warns && t.shape == shape; });
  if (same != told_.end())
    same->varies = same->varies || same->text != text;
  else if (told_.size() < most_told)
    told_.push_back({text, std::move(shape), warns});
  else
    ++left_out_;
}

std::vector<std::string> fmu_messages::said() const {
  std::vector<std::string> all;
  for (const told& t : told_)
    all.push_back(
        fmt::format("{}: '{}'", t.warns ? "warns" : "says", printable(t.varies ? t.shape : t.text, longest_told)));
  if (left_out_ > 0) all.push_back(fmt::format("says more; the first {} messages are shown", most_told));
  return all;
}

// The message to go behind what has failed.
std::string fmu_messages::in_words() const {
  const std::string& text = latest_of_failure_.empty() ? latest_ : latest_of_failure_;
  return text.empty() ? ", and no message" : ": '" + text + "'";
}

void fmu_messages::report(const char* function, const char* status) const {
  throw fmu_error(fmt::format("{} ended with the status {}{}", function, status, in_words()));
}

void fmu_messages::report_no_instance(const char* function) const {
  throw fmu_error(fmt::format("made no instance; it may have refused its token or not found its resources ({}{})",
                              function, in_words()));
}

}  // namespace muster
