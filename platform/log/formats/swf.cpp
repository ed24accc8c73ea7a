#include <algorithm>
#include <array>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

constexpr std::size_t fields_of_job = 18;
constexpr double largest = 9007199254740992.0;    // 2^53: a double has each whole number up to it
constexpr std::ptrdiff_t most_exact_digits = 15;  // of whole numbers, all below 2^53

/// The Standard Workload Format, version 2.2, of Feitelson's Parallel Workloads Archive: eighteen numbers a line, -1
/// for what is not known. Some archives add fields; they are not read.
class swf_reader final : public log_reader {
 public:
  using log_reader::log_reader;

  bool next(log_record& record) override {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string_view::npos) continue;
      if (line[begin] == ';' || line[begin] == '#') {
        read_comment(line.substr(begin + 1));
        continue;
      }
      record = {};
      record.line = lines_.number();
      read_job(line, record);
      return true;
    }
    return false;
  }

 private:
  // Places of fields.
  static constexpr std::size_t own_number = 0, submit = 1, wait = 2, run = 3, allocated = 4, requested_cores = 7,
                               requested_time = 8, memory = 9, state = 10, user = 11, queue = 14, partition = 15,
                               preceding = 16, think = 17;

  void read_comment(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = without_blanks(line.substr(0, colon)), value = without_blanks(line.substr(colon + 1));
    if (same_word(key, "MaxProcs")) header_.cores = positive(value);
    if (same_word(key, "MaxNodes")) header_.nodes = positive(value);
    if (same_word(key, "UnixStartTime")) header_.begins = positive(value);
    if (same_word(key, "Queue")) read_name(value, header_.queues);
    if (same_word(key, "Partition")) read_name(value, header_.partitions);
  }

  static std::optional<double> positive(std::string_view text) {
    const auto x = number_of(text.substr(0, text.find_first_of(" \t(")));
    return x && *x > 0.0 ? x : std::nullopt;
  }

  // Reads the number and the name of a queue or partition, such as `3 normal`.
  static void read_name(std::string_view value, std::map<std::string, std::string, std::less<>>& names) {
    const std::size_t end = std::min(value.find_first_of(" \t"), value.size());
    const std::string_view rest = without_blanks(value.substr(end));
    const std::string_view name = rest.substr(0, rest.find_first_of(" \t"));
    if (!name.empty()) names.emplace(value.substr(0, end), name);
  }

  void read_job(std::string_view line, log_record& record) {
    std::array<double, fields_of_job> x{};
    record.damaged = true;
    record.left_out = read_numbers(line, x);
    if (!record.left_out.empty()) return;
    record.damaged = false;
    record.submit = x[submit];
    if (x[wait] >= 0.0) record.waited = x[wait];
    record.run = x[run];
    record.requested = x[requested_time];
    record.requested_cores = x[requested_cores];
    record.allocated_cores = x[allocated];
    if (x[memory] >= 0.0) record.memory = x[memory] * 1024.0;
    if (x[own_number] > 0.0) record.number = {static_cast<std::uint64_t>(x[own_number])};
    record.depends = x[preceding] > 0.0;
    if (record.depends) {
      preceding_.assign(1, {static_cast<std::uint64_t>(x[preceding])});
      record.preceding = &preceding_;
      if (x[think] >= 0.0) record.think = x[think];
    }
    record.user = name(user, {});
    record.queue = name(queue, header_.queues);
    record.partition = name(partition, header_.partitions);
    // A job that has been stopped and continued has a line as a whole, and one for each of its parts.
    constexpr double first_of_parts = 2.0, last_of_parts = 4.0, cancelled = 5.0;
    record.left_out = x[state] >= first_of_parts && x[state] <= last_of_parts
                          ? "that are parts of another line's job"
                          : flaw_of_times(record, x[state] == cancelled);
  }

  // Reads the fields of a line. @return what is wrong with it; empty: nothing
  std::string_view read_numbers(std::string_view line, std::array<double, fields_of_job>& x) {
    std::string_view wrong;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::size_t n = 0; n < fields_of_job; ++n) {
      while (at != end && is_blank(*at)) ++at;
      if (at == end) return "with fewer than 18 fields";
      const char* const begin = at;
      if (!take_whole(at, end, x[n])) {
        while (at != end && !is_blank(*at)) ++at;
        const std::optional<double> number = number_of({begin, static_cast<std::size_t>(at - begin)});
        if (number && *number <= largest && *number >= -largest)
          x[n] = *number;
        else if (wrong.empty())
          wrong = number ? "with a number beyond 2^53" : "with a field that is no number";
      }
      words_[n] = {begin, static_cast<std::size_t>(at - begin)};
    }
    return wrong;
  }

  // Takes the word that begins at a place, if it is a whole number of few digits, as most are: it is exact as it is
  // read. @return false: it is something else, and `at` is somewhere in it
  static bool take_whole(const char*& at, const char* end, double& number) {
    const bool is_negative = *at == '-';
    const char* const digits = at += is_negative ? 1 : 0;
    std::uint64_t whole = 0;
    for (; at != end && static_cast<unsigned char>(*at - '0') < 10; ++at)
      whole = 10 * whole + static_cast<std::uint64_t>(*at - '0');
    if (at == digits || at - digits > most_exact_digits || (at != end && !is_blank(*at))) return false;
    number = is_negative ? -static_cast<double>(whole) : static_cast<double>(whole);
    return true;
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  std::string_view name(std::size_t number, const std::map<std::string, std::string, std::less<>>& names) const {
    const std::string_view word = words_[number];
    if (word == "-1") return {};
    const auto found = names.find(word);
    return found == names.end() ? word : std::string_view{found->second};
  }

  std::array<std::string_view, fields_of_job> words_;  // of the line
  std::vector<job_number> preceding_;                  // of the job, if there is one
};

// Comments, or a line of eighteen numbers.
bool looks_like_swf(std::string_view begin) {
  std::vector<std::string_view> words;
  while (!begin.empty()) {
    const std::string_view line = first_line(begin);
    if (line.empty()) continue;
    if (line.front() == ';') return true;
    if (line.front() == '#') continue;
    words_of(line, fields_of_job, words);
    return words.size() == fields_of_job &&
           std::all_of(words.begin(), words.end(), [](std::string_view w) { return number_of(w).has_value(); });
  }
  return false;
}

}  // namespace

extern const log_format_entry swf_format{
    "swf", 1, "Standard Workload Format", false, looks_like_swf, open_log<swf_reader>};

}  // namespace muster
