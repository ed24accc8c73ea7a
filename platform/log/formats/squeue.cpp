#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

/// What columns tell, by the heads that mean it, of a job that waits or runs.
struct shows {
  static constexpr std::string_view id = "JOBID", name = "NAME", user = "USER";
  static constexpr std::string_view partition = "PARTITION", quality = "QOS";
  static constexpr std::string_view submit = "SUBMIT_TIME", elapsed = "TIME";
  static constexpr std::string_view limit = "TIME_LIMIT", left = "TIME_LEFT", cores = "CPUS";
  static constexpr std::string_view state = "STATE ST";
  static constexpr std::string_view reason = "REASON", nodes = "NODELIST";
  // Nodes of a job that runs, else the reason why it waits.
  static constexpr std::string_view nodes_or_reason = "NODELIST(REASON)";
  static constexpr std::string_view number_of_nodes = "NODES";
  static constexpr std::string_view devices = "TRES_PER_NODE";  // of each node
  static constexpr std::string_view all[] = {
      id,   name,  user,  partition, quality, submit,          elapsed,         limit,
      left, cores, state, reason,    nodes,   nodes_or_reason, number_of_nodes, devices};
};

std::string_view shown_by(std::string_view head) {
  const auto* const found = std::find_if(std::begin(shows::all), std::end(shows::all),
                                         [&](std::string_view heads) { return has_word(heads, head); });
  return found == std::end(shows::all) ? std::string_view{} : *found;
}

// The fields of a line, parted by `|` where the heads are, else by blanks.
void fields_of(std::string_view line, bool barred, std::vector<std::string_view>& fields) {
  if (barred)
    split(line, '|', fields);
  else
    words_of(line, std::numeric_limits<std::size_t>::max(), fields);
}

// A number of cores; squeue tells multiples of 512 from 1024 on as `1.5K`, unless it is called with --noconvert.
std::optional<double> cores_in(std::string_view text) {
  const bool thousands = !text.empty() && (text.back() == 'K' || text.back() == 'k');
  const auto number = number_of(text.substr(0, text.size() - (thousands ? 1 : 0)));
  const double cores = number.value_or(0.0) * (thousands ? 1024.0 : 1.0);
  return cores >= 1.0 ? std::optional(cores) : std::nullopt;
}

// Makes fields that follow each other one, with what stands between them.
void join(std::vector<std::string_view>& fields, std::size_t first, std::size_t last) {
  const char* const end = fields[last].data() + fields[last].size();
  fields[first] = {fields[first].data(), static_cast<std::size_t>(end - fields[first].data())};
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(first) + 1,
               fields.begin() + static_cast<std::ptrdiff_t>(last) + 1);
}

/// Tasks of an array: each `step`th number from the first to the last.
struct task_range {
  std::uint64_t first, last, step;
};

// The number of jobs of a line: of an array that waits, such as `17_[1-3,7,10-20:5%2]`, that of its tasks, which
// `ranges` gets. Nothing: the array is cut short.
std::optional<std::uint64_t> jobs_of(std::string_view id, std::vector<task_range>& ranges) {
  constexpr std::uint64_t most = 10'000'000;
  ranges.clear();
  const std::size_t begin = id.find("_[");
  if (begin == std::string_view::npos) return 1;
  if (id.back() != ']') return std::nullopt;
  id = id.substr(begin + 2, id.size() - begin - 3);
  std::vector<std::string_view> parts;
  split(id.substr(0, id.find('%')), ',', parts);
  std::uint64_t jobs = 0;
  for (const std::string_view part : parts) {
    const std::size_t step_at = std::min(part.find(':'), part.size()), to = std::min(part.find('-'), step_at);
    const auto first = number_in<std::uint64_t>(part.substr(0, to));
    const auto last = to == step_at ? first : number_in<std::uint64_t>(part.substr(to + 1, step_at - to - 1));
    const auto step =
        step_at == part.size() ? std::optional<std::uint64_t>(1) : number_in<std::uint64_t>(part.substr(step_at + 1));
    if (!first || !last || !step || *last < *first || *step == 0 || *last - *first > most) return std::nullopt;
    ranges.push_back({*first, *last, *step});
    jobs += (*last - *first) / *step + 1;
    if (jobs > most) return std::nullopt;
  }
  return jobs;
}

/// What `squeue` of Slurm prints with a header: fields parted by `|`, as with `-o "%i|%T|..."`, or by blanks.
///
/// More fields than heads are put together again: a reason in parentheses at the end of a line parted by blanks, and
/// the name of the job. Of an array that waits a single line tells; it is that many jobs.
class squeue_reader final : public log_reader {
 public:
  explicit squeue_reader(line_stream& lines) : log_reader(lines) {
    next_text();
    const std::string_view line = lines_.line();
    barred_ = line.find('|') != std::string_view::npos;
    fields_of(line, barred_, fields_);
    for (const std::string_view head : fields_) heads_.push_back(shown_by(without_blanks(head)));
    expect(has(shows::id), "JOBID (%i)");
    expect(has(shows::state), "STATE (%T)");
    expect(has(shows::cores), "CPUS (%C)");
    expect(has(shows::limit) || has(shows::left), "TIME_LIMIT (%l)");
    expect(has(shows::elapsed) || (has(shows::limit) && has(shows::left)), "TIME (%M)");
  }

  /// Devices are of TRES_PER_NODE, and nodes, called `node`, of NODES.
  bool tell(const std::vector<std::string>& resources) override {
    keep(resources);
    return has(shows::number_of_nodes) || has(shows::devices);
  }

  bool next(log_record& record) override {
    if (again_ > 0) {
      --again_;
      record = latest_;
      record.number.task = next_task();
      return true;
    }
    record = {};
    if (!next_text()) return false;
    record.line = lines_.number();
    if (read_fields())
      read_job(record);
    else
      record.left_out = flaw_of_count(fields_.size(), heads_.size());
    record.damaged = record.damaged || fields_.size() != heads_.size();
    if (again_ > 0) latest_ = record;
    return true;
  }

 private:
  bool has(std::string_view what) const { return std::find(heads_.begin(), heads_.end(), what) != heads_.end(); }
  void expect(bool there, const char* head) const {
    if (!there)
      throw log_error(lines_.number(),
                      fmt::format("expected a column {}, as of squeue -o \"%i|%T|%M|%l|%C|%u|%P|%V\"", head));
  }

  // Reads the fields of the present line. @return whether there are as many as heads
  bool read_fields() {
    fields_of(lines_.line(), barred_, fields_);
    if (!barred_ && fields_.size() > heads_.size() && ends_in_reason() && fields_.back().back() == ')') join_reason();
    // What a job that waits does not have at the end of a line parted by blanks, such as its nodes.
    if (!barred_ && fields_.size() + 1 == heads_.size() && may_lack_the_last()) fields_.emplace_back();
    const auto name = std::find(heads_.begin(), heads_.end(), shows::name);
    if (fields_.size() > heads_.size() && name != heads_.end()) {
      const auto at = static_cast<std::size_t>(name - heads_.begin());
      join(fields_, at, at + fields_.size() - heads_.size());
    }
    return fields_.size() == heads_.size();
  }

  bool ends_in_reason() const { return heads_.back() == shows::reason || heads_.back() == shows::nodes_or_reason; }
  bool may_lack_the_last() const { return heads_.back().empty() || heads_.back() == shows::nodes; }

  void join_reason() {
    const auto open = std::find_if(fields_.begin() + static_cast<std::ptrdiff_t>(heads_.size()) - 1, fields_.end(),
                                   [](std::string_view word) { return word.front() == '('; });
    if (open != fields_.end()) join(fields_, static_cast<std::size_t>(open - fields_.begin()), fields_.size() - 1);
  }

  std::string_view field(std::string_view what) const {
    const auto found = std::find(heads_.begin(), heads_.end(), what);
    return found == heads_.end() ? std::string_view{}
                                 : without_blanks(fields_[static_cast<std::size_t>(found - heads_.begin())]);
  }
  double time(std::string_view what) const { return duration_of(field(what)).value_or(log_record::unknown); }

  void read_job(log_record& record) {
    const std::string_view state = field(shows::state);
    const bool waits = has_word("PENDING PD", state), runs = has_word("RUNNING R CONFIGURING CF", state);
    const std::string_view reason = has(shows::reason) ? field(shows::reason)
                                    : waits            ? field(shows::nodes_or_reason)
                                                       : std::string_view{};
    if (runs) record.nodes = node_list_in(field(has(shows::nodes) ? shows::nodes : shows::nodes_or_reason));
    record.state = runs ? logged_state::runs : logged_state::waits;
    record.user = field(shows::user);
    record.partition = field(shows::partition);
    record.queue = field(shows::quality);
    record.submit = moment_of(field(shows::submit)).value_or(log_record::unknown);
    record.requested_cores = cores_in(field(shows::cores)).value_or(log_record::unknown);
    record.depends = reason.find("Dependency") != std::string_view::npos;
    read_times(record);
    read_amounts(record);
    const std::optional<std::uint64_t> jobs = jobs_of(field(shows::id), tasks_);
    read_number(record);
    const bool without_cores = record.requested_cores < 1.0;
    record.damaged = !jobs || ((waits || runs) && without_cores) || (runs && record.elapsed < 0.0);
    if (!jobs)
      record.left_out = "of an array whose tasks are cut short (squeue -r has a line for each)";
    else if (!waits && !runs)
      record.left_out = "that neither wait nor run";
    else if (without_cores)
      record.left_out = "without a number of cores (CPUS)";
    else if (record.damaged)
      record.left_out = "that run without a time since their start (TIME)";
    else if (waits && reason.find("JobHeld") != std::string_view::npos)
      record.left_out = "that are held";
    again_ = jobs ? *jobs - 1 : 0;
  }

  // The number of a job, or of the first task of an array that waits.
  void read_number(log_record& record) {
    const std::string_view id = field(shows::id);
    const auto array = number_in<std::uint64_t>(id.substr(0, id.find("_[")));
    record.number = tasks_.empty() ? job_number_of(id).value_or(job_number{}) : job_number{array.value_or(0)};
    range_ = 0;
    if (!tasks_.empty()) record.number.task = next_task();
  }

  // Takes a task out of those of the present line; there is one left.
  std::uint32_t next_task() {
    task_range& range = tasks_[range_];
    const std::uint64_t task = range.first;
    range.first += range.step;
    if (range.first > range.last) ++range_;
    return static_cast<std::uint32_t>(task);
  }

  void read_amounts(log_record& record) {
    const double nodes = number_of(field(shows::number_of_nodes)).value_or(log_record::unknown);
    give_amounts(record, [&](std::size_t n) {
      return resources_[n] == "node" ? nodes
                                     : devices_in_list(field(shows::devices), resources_[n]) * std::max(nodes, 1.0);
    });
  }

  void read_times(log_record& record) const {
    const double limit = time(shows::limit), left = time(shows::left);
    const bool runs = record.state == logged_state::runs;
    if (runs) record.elapsed = time(shows::elapsed);
    if (runs && record.elapsed < 0.0 && limit >= 0.0 && left >= 0.0) record.elapsed = std::max(0.0, limit - left);
    if (limit >= 0.0)
      record.requested = limit;
    else if (left >= 0.0)
      record.requested = left + std::max(record.elapsed, 0.0);
  }

  std::vector<std::string_view> heads_;
  bool barred_ = false;  // whether fields are parted by `|`
  std::vector<std::string_view> fields_;
  log_record latest_;
  std::vector<task_range> tasks_;  // of the array of the present line that are left, from that of `range_` on
  std::size_t range_ = 0;
  std::uint64_t again_ = 0;  // further jobs of the present line, which is valid until they are read
};

bool looks_like_squeue(std::string_view begin) {
  std::vector<std::string_view> heads;
  const std::string_view line = first_text(begin);
  fields_of(line, line.find('|') != std::string_view::npos, heads);
  const auto has = [&](std::initializer_list<std::string_view> any) {
    return std::any_of(heads.begin(), heads.end(), [&](std::string_view h) {
      return std::find(any.begin(), any.end(), shown_by(without_blanks(h))) != any.end();
    });
  };
  return has({shows::id}) && has({shows::elapsed, shows::limit, shows::left});
}

}  // namespace

extern const log_format_entry squeue_format{
    "squeue",
    2,
    "what squeue of Slurm prints",
    false,
    looks_like_squeue,
    nullptr,
    [](line_stream& lines) -> std::unique_ptr<log_reader> { return std::make_unique<squeue_reader>(lines); }};

}  // namespace muster
