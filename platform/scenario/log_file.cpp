#include "platform/scenario/log_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

/// Names by the order in which they come.
class name_table {
 public:
  /// @param names which may be some already
  explicit name_table(std::vector<std::string>& names) : names_(names) {
    for (const std::string& name : names) numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size()));
  }

  std::uint32_t number_of(std::string_view name) {
    if (name.empty()) return log_file::no_name;
    if (last_ < names_.size() && names_[last_] == name) return last_;
    const auto [found, is_new] = numbers_.try_emplace(key_.assign(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    return last_ = found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;  // the name that is looked for
  std::uint32_t last_ = 0;
};

// A number of cores; 0: not known. Parts of a core take the whole of it.
std::uint32_t cores_in(double given) {
  if (!(given > 0.0)) return 0;
  return static_cast<std::uint32_t>(
      std::min(std::ceil(given), static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

std::string in_words(const std::vector<log_file::reason>& reasons) {
  std::string all;
  for (const log_file::reason& r : reasons) all += (all.empty() ? "" : ", ") + r.in_words();
  return all;
}

/// Reads the jobs of a log, one after the other.
class log_file_reader {
 public:
  log_file_reader(log_file& to, line_stream& lines, std::size_t resources, bool of_queue)
      : to_(to), lines_(lines), of_queue_(of_queue), resources_(resources) {}

  void read(log_reader& reader) {
    log_record record;
    while (reader.next(record)) {
      ++rows_;
      if (record.damaged) count_left_out(damaged_, record.left_out, record.line);
      if (record.left_out.empty())
        add(record);
      else
        count_left_out(to_.left_out, record.left_out, record.line);
    }
    to_.header = reader.header();
    to_.flaw = lines_.bytes().flaw();
    if (!to_.flaw.empty()) to_.flaw += fmt::format(" after line {}", lines_.number());
    check();
    if (to_.out_of_order.lines > 0 && !of_queue_)
      to_.jobs.sort([](const log_file::job& a, const log_file::job& b) { return a.submit < b.submit; });
  }

 private:
  void add(const log_record& record) {
    const auto line = static_cast<std::uint32_t>(record.line);
    if (!to_.jobs.empty() && record.submit < latest_) {
      if (to_.out_of_order.lines++ == 0) to_.out_of_order.first_line = line;
    }
    latest_ = to_.jobs.empty() ? record.submit : std::max(latest_, record.submit);
    to_.jobs.push_back(
        {record.submit, of_queue_ ? std::max(record.run, 0.0) : record.run, std::max(record.requested, 0.0),
         std::max(record.memory, 0.0), record.waited, cores_in(record.requested_cores),
         cores_in(record.allocated_cores), users_.number_of(record.user), partitions_.number_of(record.partition),
         queues_.number_of(record.queue), line, place_of_amounts(record), record.depends, record.waits_otherwise,
         record.preceding ? static_cast<std::uint32_t>(record.preceding->size()) : 0,
         static_cast<std::uint32_t>(to_.preceding.size()), record.number});
    if (record.preceding)
      for (const job_number& number : *record.preceding) to_.preceding.push_back({number, record.think});
    if (of_queue_)
      to_.states.push_back({record.state == logged_state::runs, std::max(record.elapsed, 0.0),
                            classes_.number_of(record.job_class), node_lists_.number_of(record.nodes)});
  }

  // The place of what a job needs beside cores and memory, which is added if it is new.
  std::uint32_t place_of_amounts(const log_record& record) {
    if (!record.amounts) return 0;
    std::vector<double> amounts(record.amounts, record.amounts + resources_);
    for (double& amount : amounts) amount = std::max(amount, 0.0);
    const auto [found, is_new] = places_.emplace(std::move(amounts), static_cast<std::uint32_t>(to_.amounts.size()));
    if (is_new) to_.amounts.push_back(found->first);
    return found->second;
  }

  // Refuses a file that is no such log, or has nothing to simulate; a queue may be empty.
  void check() {
    std::uint64_t damaged = 0;
    for (const log_file::reason& r : damaged_) damaged += r.lines;
    if (2 * damaged > rows_) {
      to_.refusal = fmt::format("{} of its {} lines cannot be read in the format {} ({}): {}", damaged, rows_,
                                to_.format->name, to_.format->about, in_words(damaged_));
      to_.refused_line = static_cast<std::uint32_t>(damaged_.front().first_line);
    } else if (of_queue_ || !to_.jobs.empty()) {
      return;
    } else if (!to_.flaw.empty()) {
      to_.refusal = to_.flaw;
    } else {
      to_.refusal = rows_ == 0 ? "has no jobs" : fmt::format("has no job that can run: {}", in_words(to_.left_out));
    }
  }

  log_file& to_;
  line_stream& lines_;
  bool of_queue_;
  name_table users_{to_.users}, partitions_{to_.partitions}, queues_{to_.queues}, classes_{to_.classes},
      node_lists_{to_.node_lists};
  std::size_t resources_;                                // that were asked for
  std::map<std::vector<double>, std::uint32_t> places_;  // in log_file::amounts
  std::uint64_t rows_ = 0;
  std::vector<log_file::reason> damaged_;  // of those that are left out
  double latest_ = 0.0;                    // arrival so far
};

// The reader of a file of a format that is known.
std::unique_ptr<log_reader> open_reader(const log_format_entry& format, line_stream& lines, const log_columns& columns,
                                        bool of_queue) {
  if (of_queue && !format.open_queue)
    throw log_error(
        1, fmt::format("is of the format {} ({}), which does not tell what waits and runs", format.name, format.about));
  if (!of_queue && !format.open)
    throw log_error(1, fmt::format("is of the format {} ({}): jobs that wait and run, which initial.file takes",
                                   format.name, format.about));
  return of_queue ? format.open_queue(lines) : format.open(lines, columns);
}

void read_into(log_file& file, const log_columns& columns, const std::vector<std::string>& resources, bool of_queue) {
  line_stream lines(file.path);
  const std::string_view begin = lines.begin();
  if (const std::size_t at = begin.find('\0'); at != std::string_view::npos)
    throw log_error(
        static_cast<std::uint64_t>(std::count(begin.begin(), begin.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
            1,
        "is binary; expected a log as text (ASCII or UTF-8), perhaps compressed by gzip or zstd");
  if (begin.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw log_error(0, lines.bytes().flaw().empty() ? "is empty" : std::string{lines.bytes().flaw()});
  if (!file.format) file.format = format_of(begin);
  if (!file.format) {
    std::vector<std::string> known;
    for (const log_format_entry* entry : log_format_catalogue())
      if (of_queue ? entry->open_queue != nullptr : entry->open != nullptr) known.emplace_back(entry->about);
    throw log_error(1, fmt::format("looks like no {} that is known; expected {}", of_queue ? "queue" : "log",
                                   fmt::join(known, ", or ")));
  }
  const std::unique_ptr<log_reader> reader = open_reader(*file.format, lines, columns, of_queue);
  if (!resources.empty()) file.tells_resources = reader->tell(resources);
  log_file_reader(file, lines, resources.size(), of_queue).read(*reader);
  file.digest = lines.bytes().digest();
}

// Reads a file, or sets why it cannot be read.
void try_to_read(log_file& file, const log_columns& columns, const std::vector<std::string>& resources, bool of_queue) {
  try {
    read_into(file, columns, resources, of_queue);
  } catch (const log_error& error) {
    file.refusal = error.what();
    file.refused_line = static_cast<std::uint32_t>(error.line);
  } catch (const std::runtime_error& error) {
    file.refusal = error.what();
  }
}

}  // namespace

std::string log_file::reason::in_words() const { return fmt::format("{} {} (first: line {})", lines, why, first_line); }

void count_left_out(std::vector<log_file::reason>& reasons, std::string_view why, std::uint64_t line) {
  auto found = std::find_if(reasons.begin(), reasons.end(), [&](const log_file::reason& r) { return r.why == why; });
  if (found == reasons.end()) found = reasons.insert(found, {std::string{why}, 0, line});
  ++found->lines;
  found->first_line = std::min(found->first_line, line);
}

std::shared_ptr<const log_file> read_log_file(const std::string& path, const log_format_entry* format,
                                              const log_columns& columns, const std::vector<std::string>& resources) {
  auto file = std::make_shared<log_file>();
  file->path = path;
  file->format = format;
  try_to_read(*file, columns, resources, false);
  return file;
}

std::shared_ptr<const log_file> read_queue_file(const std::string& path, const log_file* log,
                                                const std::vector<std::string>& resources) {
  auto file = std::make_shared<log_file>();
  file->path = path;
  if (log) std::tie(file->users, file->partitions, file->queues) = std::tie(log->users, log->partitions, log->queues);
  try_to_read(*file, {}, resources, true);
  return file;
}

}  // namespace muster
