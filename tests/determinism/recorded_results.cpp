#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include <systemc>

#include <unistd.h>
#include <boost/crc.hpp>

#include "platform/experiment/worker_pool.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "tests/determinism/studies.h"

// Holds all that replications find, and all their traces, against what is on record, to the last bit: results depend
// neither on the compiler's optimisation nor on how modules are built inside, and change only with a reason.
//
//   recorded_results SCENARIOS RECORD            exits with 1 and says which points differ
//   recorded_results SCENARIOS RECORD --checked  so does this, with a protocol checker on every hop
//   recorded_results SCENARIOS RECORD --record   writes the record anew
//   recorded_results SCENARIOS RECORD --print    a line for each part of each point, to find what differs between
//   builds
//
// Beside the scenarios of SCENARIOS, at a small size, it runs those of RECORD, which bring together what the shipped
// ones keep apart. RECORD has a file for each scenario: first the parts that it covers (metrics, columns of the table
// of jobs, other traces; later ones may be added to the program), then for each point a check sum over them.

namespace muster {
namespace {

std::string sum_of(const std::string& text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  char hex[9];
  std::snprintf(hex, sizeof hex, "%08x", static_cast<unsigned>(crc.checksum()));
  return hex;
}

/// Texts by name, in the order in which the names first came.
class parts {
 public:
  /// Text of a part, which is made if it is new.
  std::string& operator[](const std::string& name) {
    for (auto& [known, text] : parts_)
      if (known == name) return text;
    return parts_.emplace_back(name, "").second;
  }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<std::pair<std::string, std::string>> parts_;
};

void add_measurements(const replication_result& result, parts& found) {
  for (const measurement& m : result.measurements) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%a %a", m.has_value ? m.value : -1.0, m.half_width.value_or(-1.0));
    found["metric_" + m.metric] += m.class_name + " " + numbers + " " + std::to_string(m.jobs) + "\n";
  }
}

// Column by column, so that others can be added.
void add_table(const std::string& csv, parts& found) {
  std::stringstream lines(csv);
  std::vector<std::string> columns;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream cells(line);
    std::string cell;
    for (std::size_t at = 0; std::getline(cells, cell, ','); ++at) {
      if (at == columns.size()) columns.push_back(cell);
      found["job_" + columns[at]] += cell + "\n";
    }
  }
}

/// Simulates a replication of a point in this process.
/// @param folder for its traces
/// @param check_protocol puts a protocol_checker on every hop
/// @return lines of a part's name and its check sum
std::string simulate(const scenario& model, const std::filesystem::path& folder, bool check_protocol) {
  const auto jobs = folder / "jobs.csv", cores = folder / "trace.pftrace", waves = folder / "trace.vcd";
  parts found;
  add_measurements(
      run_replication(
          model, 0,
          {check_protocol,
           {{find_trace_kind("jobs"), jobs}, {find_trace_kind("perfetto"), cores}, {find_trace_kind("vcd"), waves}}}),
      found);
  add_table(content_of(jobs), found);
  found["trace_perfetto"] = content_of(cores);
  found["trace_vcd"] = content_of(waves);
  std::string lines;
  for (const auto& [name, text] : found) lines += name + " " + sum_of(text) + "\n";
  return lines;
}

/// Check sums by part, for each point of a study.
std::vector<parts> simulate(const study& s, const std::filesystem::path& folder, bool check_protocol) {
  std::vector<parts> points(s.points.size());
  const bool all = worker_pool(1).run(
      s.points.size(), [&](std::size_t at) { return simulate(s.points[at].model, folder, check_protocol); },
      [&](const task_outcome& ended) {
        if (ended.failed) {
          std::cerr << s.name << ", " << s.label(ended.task) << ": " << ended.text << '\n';
          return false;
        }
        std::stringstream lines(ended.text);
        for (std::string name, sum; lines >> name >> sum;) points[ended.task][name] = sum;
        return true;
      },
      [] { return true; });
  if (!all) std::exit(1);
  return points;
}

/// A check sum over those of some parts.
std::string sum_over(const std::vector<std::string>& names, parts point) {
  std::string sums;
  for (const std::string& name : names) sums += name + " " + point[name] + "\n";
  return sum_of(sums);
}

std::vector<std::string> words_of(const std::string& line) {
  std::stringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

void record(const study& s, const std::vector<parts>& points, const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (const parts& point : points)
    for (const auto& [name, sum] : point)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::ofstream out(file);
  for (const std::string& name : names) out << name << (&name == &names.back() ? "\n" : " ");
  for (std::size_t at = 0; at < points.size(); ++at) out << sum_over(names, points[at]) << "  " << s.label(at) << '\n';
}

/// @return whether all is as on record
bool compare(const study& s, const std::vector<parts>& points, const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const auto names = words_of(line);
  bool same = !names.empty();
  if (!same) std::cerr << s.name << ": no record in " << file << "; expected one, see --record\n";
  for (std::size_t at = 0; same && at < points.size(); ++at) {
    std::getline(in, line);
    if (line == sum_over(names, points[at]) + "  " + s.label(at)) continue;
    std::cerr << s.name << ", " << s.label(at) << ": found " << sum_over(names, points[at]) << ", on record '" << line
              << "'\n";
    same = false;
  }
  return same;
}

void print(const study& s, const std::vector<parts>& points) {
  for (std::size_t at = 0; at < points.size(); ++at)
    for (const auto& [name, sum] : points[at])
      std::cout << s.name << ", " << s.label(at) << ": " << name << ' ' << sum << '\n';
}

int run(const std::filesystem::path& scenarios, const std::filesystem::path& records, const std::string& mode) {
  std::vector<study> studies;
  for (const auto& file : scenarios_in(records)) studies.push_back(read_study(file.string(), {}));
  for (const auto& file : scenarios_in(scenarios)) studies.push_back(read_study(file.string(), small_size(file)));
  const auto folder = std::filesystem::temp_directory_path() / ("muster_recorded_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  bool same = true;
  for (const study& s : studies) {
    const auto points = simulate(s, folder, mode == "--checked");
    const auto file = records / (s.name + ".txt");
    if (mode == "--record")
      record(s, points, file);
    else if (mode == "--print")
      print(s, points);
    else
      same = compare(s, points, file) && same;
  }
  std::filesystem::remove_all(folder);
  return same ? 0 : 1;
}

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  if (argc < 3) return 2;
  return muster::run(argv[1], argv[2], argc > 3 ? argv[3] : "");
}
