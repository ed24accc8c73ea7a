#include "platform/scenario/job_list_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "platform/toml/diagnostics.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::size_t most_flaws = 100;
constexpr double most_gain = 1e100;  // so that sums of them are finite
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view blanks = " \t\r";
constexpr std::array<std::string_view, 5> columns{"id", "arrival", "deadline", "units", "marginals"};

struct field {
  std::string_view text;
  named_file::place where;
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// The parts of a line between separators, without the blanks around them.
std::vector<field> split(std::string_view line, std::uint32_t number) {
  std::vector<field> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string_view text = without_blanks(line.substr(begin, end - begin));
    const auto before = text.empty() ? begin : static_cast<std::size_t>(text.data() - line.data());
    fields.push_back({text, {number, characters(line.substr(0, before)) + 1}});
    begin = end + 1;
  }
  return fields;
}

/// Reads the lines of a list one by one.
class list_parser {
 public:
  explicit list_parser(job_list_file& list) : list_(list) {}

  void parse() {
    std::string_view rest = list_.content;
    if (rest.substr(0, byte_order_mark.size()) == byte_order_mark) rest.remove_prefix(byte_order_mark.size());
    bool header_known = false;
    std::uint32_t number = 1;
    for (; !rest.empty() && list_.flaws.size() < most_flaws; ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (without_blanks(line).empty()) continue;
      if (header_known)
        read_job(split(line, number));
      else if (!read_header(split(line, number)))
        return;
      header_known = true;
    }
    if (!header_known)
      complain({}, "is empty; expected the header id,arrival,deadline,units,marginals");
    else if (list_.jobs.empty() && list_.flaws.empty())
      complain({number, 1}, "expected at least one job after the header");
  }

 private:
  void complain(named_file::place where, std::string message) { list_.flaws.push_back({where, std::move(message)}); }

  void complain(const field& f, std::size_t column, const std::string& expected) {
    complain(f.where, fmt::format("column {}: expected {}, found {}", columns[column], expected,
                                  f.text.empty() ? "nothing" : in_quotes(f.text)));
  }

  bool read_header(const std::vector<field>& fields) {
    const auto same = [](const field& f, std::string_view name) { return f.text == name; };
    if (std::equal(fields.begin(), fields.end(), columns.begin(), columns.end(), same)) return true;
    const std::string_view first = fields.front().text, last = fields.back().text;
    const std::string_view whole{first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
    complain(fields.front().where,
             fmt::format("expected the header id,arrival,deadline,units,marginals, found {}", in_quotes(whole)));
    return false;
  }

  void read_job(const std::vector<field>& fields) {
    if (fields.size() != columns.size()) {
      complain(fields.front().where, fmt::format("expected {} columns, found {}", columns.size(), fields.size()));
      return;
    }
    const std::size_t before = list_.flaws.size();
    listed_job job;
    job.id = whole(fields[0], 0, 0, std::numeric_limits<std::uint64_t>::max(), "a whole number");
    job.arrival = whole(fields[1], 1, 1, most_slots, fmt::format("a slot from 1 to {}", most_slots));
    if (list_.flaws.size() == before && !fields[2].text.empty())
      job.deadline =
          whole(fields[2], 2, job.arrival, most_slots,
                fmt::format("a slot from that of the arrival, {}, to {}, or nothing", job.arrival, most_slots));
    const std::uint64_t units = whole(fields[3], 3, 1, most_units, fmt::format("an integer from 1 to {}", most_units));
    if (list_.flaws.size() == before) job.worth = read_marginals(fields[4], units);
    if (const auto [earlier, is_new] = lines_.emplace(job.id, fields[0].where.line);
        !is_new && list_.flaws.size() == before)
      complain(fields[0].where, fmt::format("column id: {} stands in line {} already; expected an id of its own",
                                            job.id, earlier->second));
    if (list_.flaws.size() == before) list_.jobs.push_back(std::move(job));
  }

  std::uint64_t whole(const field& f, std::size_t column, std::uint64_t lowest, std::uint64_t highest,
                      const std::string& expected) {
    std::uint64_t x = lowest;
    const char* end = f.text.data() + f.text.size();
    const auto [stop, error] = std::from_chars(f.text.data(), end, x);
    if (error == std::errc{} && stop == end && x >= lowest && x <= highest) return x;
    complain(f, column, expected);
    return lowest;
  }

  std::shared_ptr<const utility> read_marginals(const field& f, std::uint64_t units) {
    std::vector<double> gains;
    std::string_view rest = f.text;
    while (!(rest = without_blanks(rest)).empty()) {
      const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
      double gain = 0.0;
      const char* end = word.data() + word.size();
      const auto [stop, error] = std::from_chars(word.data(), end, gain);
      if (error != std::errc{} || stop != end || !(gain >= 0.0 && gain <= most_gain)) {
        const auto ahead = static_cast<std::size_t>(word.data() - f.text.data());
        complain({word, {f.where.line, f.where.column + characters(f.text.substr(0, ahead))}}, 4,
                 "a number from 0 to 1e+100");
        return nullptr;
      }
      gains.push_back(gain);
      rest.remove_prefix(word.size());
    }
    if (gains.size() == units) return std::make_shared<const utility>(std::move(gains));
    complain(f.where,
             fmt::format("column marginals: expected {} numbers, one for each unit, found {}", units, gains.size()));
    return nullptr;
  }

  job_list_file& list_;
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;  // of the ids so far
};

}  // namespace

job_list_file parse_job_list(std::string path, std::string content) {
  job_list_file list;
  list.path = std::move(path);
  list.content = std::move(content);
  list_parser{list}.parse();
  std::sort(list.jobs.begin(), list.jobs.end(), [](const listed_job& a, const listed_job& b) {
    return std::tie(a.arrival, a.id) < std::tie(b.arrival, b.id);
  });
  return list;
}

}  // namespace muster
