#include "platform/scenario/file_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "platform/log/log_text.h"
#include "platform/scenario/text_field.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr double most_gain = 1e100;  // so that sums of them are finite
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::array<std::string_view, 5> columns{"id", "arrival", "deadline", "units", "marginals"};

/// Reads the lines of a list one by one.
class list_parser {
 public:
  explicit list_parser(job_list_file& list) : list_(list) {}

  void parse() {
    std::string_view rest = list_.lines();
    bool header_known = false;
    text_field line;
    while (list_.flaws.size() < named_file::enough_flaws && line.next_line(rest)) {
      const std::vector<text_field> fields = line.between_commas(list_);
      if (fields.size() == 1 && fields.front().text.empty()) continue;
      if (fields.empty() && !header_known) return;
      if (fields.empty()) continue;
      if (header_known)
        read_job(fields);
      else if (!read_header(fields))
        return;
      header_known = true;
    }
    if (!header_known)
      list_.complain("is empty; expected the header id,arrival,deadline,units,marginals, or one with a column size");
    else if (list_.jobs.empty() && list_.flaws.empty())
      list_.complain("expected at least one job after the header", {line.number + 1, 1});
  }

 private:
  void complain(const text_field& f, std::size_t column, const std::string& expected) {
    list_.complain(fmt::format("column {}: expected {}, found {}", columns[column], expected,
                               f.text.empty() ? "nothing" : in_quotes(f.text)),
                   f.where());
  }

  bool read_header(const std::vector<text_field>& fields) {
    const auto same = [](const text_field& f, std::string_view name) { return f.text == name; };
    if (std::equal(fields.begin(), fields.end(), columns.begin(), columns.end(), same)) return true;
    const auto depends = std::find_if(fields.begin(), fields.end(),
                                      [](const text_field& f) { return f.text == "after" || f.text == "think"; });
    if (depends != fields.end()) {
      list_.complain(fmt::format("expected no column {} without a column size, because jobs with deadlines do not wait "
                                 "for others",
                                 depends->text),
                     depends->where());
      return false;
    }
    list_.complain(
        fmt::format("expected the header id,arrival,deadline,units,marginals, or one with a column size, found {}",
                    in_quotes(without_blanks(fields.front().line))),
        fields.front().where());
    return false;
  }

  void read_job(const std::vector<text_field>& fields) {
    if (fields.size() != columns.size())
      return list_.complain(fmt::format("expected {} columns, found {}", columns.size(), fields.size()),
                            fields.front().where());
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
    if (const auto [earlier, is_new] = lines_.emplace(job.id, fields[0].number);
        !is_new && list_.flaws.size() == before)
      list_.complain(
          fmt::format("column id: {} stands in line {} already; expected an id of its own", job.id, earlier->second),
          fields[0].where());
    if (list_.flaws.size() == before) list_.jobs.push_back(std::move(job));
  }

  std::uint64_t whole(const text_field& f, std::size_t column, std::uint64_t lowest, std::uint64_t highest,
                      const std::string& expected) {
    const auto x = number_in<std::uint64_t>(f.text);
    if (x && *x >= lowest && *x <= highest) return *x;
    complain(f, column, expected);
    return lowest;
  }

  std::shared_ptr<const utility> read_marginals(const text_field& f, std::uint64_t units) {
    std::vector<double> gains;
    for (const text_field& word : f.words()) {
      const auto gain = number_in<double>(word.text);
      if (gain) gains.push_back(*gain);
      if (gain && *gain >= 0.0 && *gain <= most_gain) continue;
      complain(word, 4, "a number from 0 to 1e+100");
      return nullptr;
    }
    if (gains.size() == units) return std::make_shared<const utility>(std::move(gains));
    list_.complain(
        fmt::format("column marginals: expected {} numbers, one for each unit, found {}", units, gains.size()),
        f.where());
    return nullptr;
  }

  job_list_file& list_;
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;  // of the ids so far
};

// Whether the first line that is not blank has a column of this name.
bool has_column(std::string_view lines, std::string_view name) {
  text_field line;
  named_file ignored;
  while (line.next_line(lines)) {
    const std::vector<text_field> fields = line.between_commas(ignored);
    if (fields.size() == 1 && fields.front().text.empty()) continue;
    return std::any_of(fields.begin(), fields.end(), [&](const text_field& f) { return f.text == name; });
  }
  return false;
}

}  // namespace

std::string_view job_list_file::lines() const {
  std::string_view all = content;
  if (all.substr(0, byte_order_mark.size()) == byte_order_mark) all.remove_prefix(byte_order_mark.size());
  return all;
}

void job_list_file::parse() {
  timed = has_column(lines(), "size");
  if (timed) return;
  list_parser{*this}.parse();
  std::sort(jobs.begin(), jobs.end(), [](const listed_job& a, const listed_job& b) {
    return std::tie(a.arrival, a.id) < std::tie(b.arrival, b.id);
  });
}

}  // namespace muster
