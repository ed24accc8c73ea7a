#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"

namespace muster {

namespace {

/// What columns tell: the heads that mean it. Of several with the same meaning the first that has a value counts.
struct tells {
  static constexpr std::string_view id = "JobID JobIDRaw", name = "JobName", user = "User UID";
  static constexpr std::string_view partition = "Partition", quality = "QOS";
  static constexpr std::string_view submit = "Submit", eligible = "Eligible", start = "Start", end = "End";
  static constexpr std::string_view elapsed = "Elapsed ElapsedRaw";
  static constexpr std::string_view limit = "Timelimit";
  static constexpr std::string_view minutes = "TimelimitRaw";  // limit
  static constexpr std::string_view asked_cores = "ReqCPUS", given_cores = "NCPUS AllocCPUS";
  static constexpr std::string_view memory = "ReqMem";
  static constexpr std::string_view asked = "ReqTRES", given = "AllocTRES";
  static constexpr std::string_view state = "State";
  static constexpr std::string_view dependency = "Dependency";
  static constexpr std::string_view other_text = "Comment AdminComment SystemComment SubmitLine WorkDir";
  static constexpr std::string_view all[] = {id,     name,  user,    partition, quality,    submit,      eligible,
                                             start,  end,   elapsed, limit,     minutes,    asked_cores, given_cores,
                                             memory, asked, given,   state,     dependency, other_text};
};

std::string_view meaning_of(std::string_view head) {
  head = head.substr(0, head.find('%'));  // of a width, as in JobName%30
  const auto* const found = std::find_if(std::begin(tells::all), std::end(tells::all),
                                         [&](std::string_view heads) { return has_word(heads, head); });
  return found == std::end(tells::all) ? std::string_view{} : *found;
}

/// What `sacct --parsable` or `--parsable2` of Slurm prints: heads, then a job or a step of one a line, parted by `|`.
///
/// A `|` in the name of a job makes more fields than heads, and a line end in it fewer: such lines are put together
/// again where JobName is the only column of free text.
class sacct_reader final : public log_reader {
 public:
  explicit sacct_reader(line_stream& lines) : log_reader(lines) {
    next_text();
    std::string_view line = without_blanks(lines_.line());
    closed_ = !line.empty() && line.back() == '|';
    if (closed_) line.remove_suffix(1);
    split(line, '|', fields_);
    for (const std::string_view head : fields_) heads_.push_back(meaning_of(without_blanks(head)));
    const auto count = [&](std::string_view what) { return std::count(heads_.begin(), heads_.end(), what); };
    if (count(tells::name) == 1 && count(tells::other_text) == 0)
      name_at_ = static_cast<std::size_t>(std::find(heads_.begin(), heads_.end(), tells::name) - heads_.begin());
    expect(count(tells::id) > 0, "JobID");
    id_at_ = static_cast<std::size_t>(std::find(heads_.begin(), heads_.end(), tells::id) - heads_.begin());
    expect(count(tells::submit) > 0, "Submit");
    expect(count(tells::elapsed) > 0 || (count(tells::start) > 0 && count(tells::end) > 0),
           "Elapsed, or Start and End");
    expect(count(tells::asked_cores) + count(tells::given_cores) + count(tells::asked) + count(tells::given) > 0,
           "ReqCPUS, AllocCPUS, ReqTRES or AllocTRES");
  }

  bool tell(const std::vector<std::string>& resources) override {
    expect(std::any_of(heads_.begin(), heads_.end(),
                       [](std::string_view what) { return what == tells::asked || what == tells::given; }),
           "ReqTRES or AllocTRES");
    return keep(resources);
  }

  bool next(log_record& record) override {
    record = {};
    if (!next_row(record)) return false;
    if (!record.damaged) read_job(record);
    return true;
  }

 private:
  void expect(bool there, const char* head) const {
    if (!there)
      throw log_error(lines_.number(), fmt::format("expected a column {}, as of sacct --parsable2 --format=..", head));
  }

  bool take_line() {
    if (held_) {
      held_ = false;
      return true;
    }
    while (lines_.next())
      if (!lines_.line().empty()) return true;
    return false;
  }

  // The present line, without the separator that --parsable puts at its end.
  void split_line(std::string_view line) {
    if (closed_ && !line.empty() && line.back() == '|') line.remove_suffix(1);
    split(line, '|', fields_);
  }

  bool begins_job() const {
    if (fields_.size() < heads_.size()) return false;
    const std::string_view id = fields_[id_at_];
    return !id.empty() && id.front() >= '0' && id.front() <= '9';
  }

  // Reads the fields of the next row.
  bool next_row(log_record& record) {
    if (!take_line()) return false;
    record.line = lines_.number();
    split_line(lines_.line());
    if (fields_.size() < heads_.size() && name_at_) join_lines();
    if (fields_.size() > heads_.size() && name_at_) join_name();
    if (fields_.size() == heads_.size()) return true;
    record.damaged = true;
    record.left_out = flaw_of_count(fields_.size(), heads_.size());
    return true;
  }

  // Joins a row with the lines that follow it, as long as these are no rows by themselves.
  void join_lines() {
    constexpr int most_lines = 20;
    row_ = lines_.line();
    for (int n = 0; n < most_lines && fields_.size() < heads_.size() && lines_.next(); ++n) {
      split_line(lines_.line());
      if (begins_job()) {
        held_ = true;
        split_line(row_);
        return;
      }
      row_ += ' ';
      row_ += lines_.line();
      split_line(row_);
    }
  }

  // Makes the parts of a name one field.
  void join_name() {
    const std::size_t more = fields_.size() - heads_.size();
    const auto name = fields_.begin() + static_cast<std::ptrdiff_t>(*name_at_);
    const std::string_view last = name[static_cast<std::ptrdiff_t>(more)];
    *name = {name->data(), static_cast<std::size_t>(last.data() + last.size() - name->data())};
    fields_.erase(name + 1, name + 1 + static_cast<std::ptrdiff_t>(more));
  }

  // The value of the first column of that meaning that has one.
  std::string_view field(std::string_view what) const {
    for (std::size_t n = 0; n < heads_.size(); ++n)
      if (heads_[n] == what)
        if (const std::string_view text = without_blanks(fields_[n]); !text.empty()) return text;
    return {};
  }

  void read_job(log_record& record) {
    const std::string_view id = field(tells::id), state = field(tells::state);
    if (id.find('.') != std::string_view::npos) {
      record.left_out = "that are steps of jobs";
      return;
    }
    read_dependency(id, field(tells::dependency), record);
    record.user = field(tells::user);
    record.partition = field(tells::partition);
    record.queue = field(tells::quality);
    record.submit = moment_of(field(tells::submit)).value_or(log_record::unknown);
    read_start(record);
    record.run = run_time();
    if (const auto limit = duration_of(field(tells::limit)))
      record.requested = *limit;
    else if (const auto minutes = number_of(field(tells::minutes)))
      record.requested = *minutes * 60.0;
    record.requested_cores = cores(tells::asked_cores, tells::asked);
    record.allocated_cores = cores(tells::given_cores, tells::given);
    record.memory = memory(std::max({record.requested_cores, record.allocated_cores, 1.0}));
    read_amounts(record);
    record.left_out = reason(record, state.substr(0, state.find_first_of(" +")));
    record.damaged = id.empty();
    if (record.damaged) record.left_out = "without a number of the job";
  }

  // Reads the wait. A job that was not to start before some moment (--begin, or held) arrives then; what one with a
  // dependency waits for is told by that.
  void read_start(log_record& record) {
    const auto start = moment_of(field(tells::start)), eligible = moment_of(field(tells::eligible));
    if (eligible && record.submit >= 0.0 && !record.depends && (!start || *eligible <= *start))
      record.submit = std::max(record.submit, *eligible);
    if (start && *start >= record.submit) record.waited = *start - record.submit;
  }

  // Reads what was asked for of each resource; of those that the request does not name, what the job had.
  void read_amounts(log_record& record) {
    give_amounts(record, [&](std::size_t n) {
      auto amount = number_in_list(field(tells::asked), resources_[n]);
      if (!amount) amount = number_in_list(field(tells::given), resources_[n]);
      return amount.value_or(log_record::unknown);
    });
  }

  // Reads a dependency such as `afterok:17,afterany:18`, if it names a job.
  void read_dependency(std::string_view id, std::string_view dependency, log_record& record) {
    record.number = job_number_of(id).value_or(job_number{});
    record.depends = dependency.find(':') != std::string_view::npos;
    if (!record.depends) return;
    record.waits_otherwise = !preceding_jobs(dependency, record.number, preceding_);
    record.preceding = &preceding_;
  }

  double run_time() const {
    if (const auto elapsed = duration_of(field(tells::elapsed))) return *elapsed;
    const auto start = moment_of(field(tells::start)), end = moment_of(field(tells::end));
    return start && end ? *end - *start : log_record::unknown;
  }

  double cores(std::string_view own, std::string_view in_list) const {
    std::optional<double> x = number_of(field(own));
    if (!x || !(*x > 0.0)) x = number_of(value_in(field(in_list), "cpu"));
    return x && *x > 0.0 ? *x : log_record::unknown;
  }

  // Memory of each core. Slurm's column has that of the job; before version 21 that of a core with a `c` behind it, or
  // of a node with an `n`.
  double memory(double cores) const {
    if (const auto of_job = memory_of(value_in(field(tells::asked), "mem"))) return *of_job / cores;
    std::string_view text = field(tells::memory);
    double shares = cores;
    if (!text.empty() && (text.back() == 'c' || text.back() == 'n')) {
      const double nodes = number_of(value_in(field(tells::given), "node")).value_or(1.0);
      shares = text.back() == 'c' ? 1.0 : cores / std::max(nodes, 1.0);
      text.remove_suffix(1);
    }
    const auto x = memory_of(text);
    if (x && *x > 0.0) return *x / shares;
    const auto had = memory_of(value_in(field(tells::given), "mem"));
    return had && *had > 0.0 ? *had / cores : log_record::unknown;
  }

  static std::string_view reason(const log_record& record, std::string_view state) {
    if (same_word(state, "PENDING")) return "not yet started";
    if (has_word("RUNNING SUSPENDED", state)) return "that still run";
    if (same_word(state, "REVOKED")) return "that ran on another cluster";
    return flaw_of_times(record, same_word(state, "CANCELLED"));
  }

  std::vector<std::string_view> heads_;
  std::size_t id_at_ = 0;               // of JobID
  bool closed_ = false;                 // whether a separator ends each line
  std::optional<std::size_t> name_at_;  // of JobName, if it is the only free text
  std::vector<std::string_view> fields_;
  std::vector<job_number> preceding_;  // for whose ends it was to wait
  std::string row_;                    // of several lines
  bool held_ = false;                  // the present line is yet to be read
};

bool looks_like_sacct(std::string_view begin) {
  std::vector<std::string_view> heads;
  split(first_text(begin), '|', heads);
  return heads.size() > 2 &&
         std::any_of(heads.begin(), heads.end(), [](std::string_view h) { return meaning_of(h) == tells::id; });
}

}  // namespace

extern const log_format_entry sacct_format{
    "sacct", 3, "what sacct --parsable2 of Slurm prints", false, looks_like_sacct, open_log<sacct_reader>};

}  // namespace muster
