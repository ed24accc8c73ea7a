#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

char separator_of(std::string_view header) {
  const auto count = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char best = ',';
  for (const char c : {';', '\t'})
    if (count(c) > count(best)) best = c;
  return best;
}

/// A table with a header, and values set apart by commas, semicolons or tabs. A value may stand in double quotes; then
/// it may hold separators, line ends, and quotes that are doubled (RFC 4180).
class csv_reader final : public log_reader {
 public:
  /// @param of_queue whether its jobs wait or run
  csv_reader(line_stream& lines, const log_columns& columns, bool of_queue) : log_reader(lines), of_queue_(of_queue) {
    next_text();
    separator_ = separator_of(lines_.line());
    if (!read_row()) throw log_error(lines_.number(), "the header has a quote that does not end");
    heads_ = values_;
    for (std::size_t c = 0; c < column_count; ++c) at_[c] = place_of(c, columns);
    if (of_queue && at_[size] == nowhere && at_[requested] == nowhere)
      throw log_error(lines_.number(), "expected a column size or requested");
  }

  bool tell(const std::vector<std::string>& resources) override {
    for (const std::string& name : resources) {
      const auto found = std::find(heads_.begin(), heads_.end(), name);
      if (found == heads_.end())
        throw log_error(lines_.number(), fmt::format("expected a column {}, which arrivals.resources names{}",
                                                     in_quotes(name), suggestion(name, heads_)));
      resources_at_.push_back(static_cast<std::size_t>(found - heads_.begin()));
    }
    return keep(resources);
  }

  bool next(log_record& record) override {
    if (!next_text()) return false;
    record = {};
    record.line = lines_.number();
    record.damaged = true;
    if (!read_row()) {
      record.left_out = "with a quote that does not end";
    } else if (values_.size() != heads_.size()) {
      record.left_out = flaw_of_count(values_.size(), heads_.size());
    } else {
      read_job(record);
    }
    return true;
  }

 private:
  enum column {
    arrival,
    size,
    cores,
    memory,
    requested,
    user,
    partition,
    queue,
    state,
    elapsed,
    job_class,
    nodes,
    job,
    after,
    think,
    start,
    column_count
  };
  // What columns tell, in their order.
  static constexpr std::array<std::string_view, column_count> meanings{
      "arrival", "size",    "cores", "memory", "requested", "user",  "partition", "queue",
      "state",   "elapsed", "class", "nodes",  "job",       "after", "think",     "start"};
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  bool is_needed(std::size_t what) const { return of_queue_ ? what == state : what <= size; }

  // The place of a column; those that are needed must be there, and those that are named.
  std::size_t place_of(std::size_t what, const log_columns& columns) const {
    const auto named =
        std::find_if(columns.begin(), columns.end(), [&](const auto& pair) { return pair.first == meanings[what]; });
    const std::string name = named == columns.end() ? std::string{meanings[what]} : named->second;
    const bool or_qos = what == queue && named == columns.end();
    for (std::size_t n = 0; n < heads_.size(); ++n)
      if (heads_[n] == name || (or_qos && heads_[n] == "qos")) return n;
    if (named == columns.end() && !is_needed(what)) return nowhere;
    throw log_error(lines_.number(), fmt::format("expected a column {}, the {} of the jobs; {}", in_quotes(name),
                                                 meanings[what], advice_on(name, meanings[what])));
  }

  std::string advice_on(const std::string& missing, std::string_view meaning) const {
    constexpr std::size_t most_heads = 20;
    if (const auto nearest = nearest_name(missing, heads_)) return "did you mean " + in_quotes(*nearest) + "?";
    std::string all;
    for (std::size_t n = 0; n < std::min(most_heads, heads_.size()); ++n)
      (all += n == 0 ? "" : ", ") += printable(heads_[n]);
    if (heads_.size() > most_heads) all += ", ..";
    if (of_queue_) return "found " + all;
    return fmt::format("found {}; columns = {{ {} = \"..\" }} tells which it is", all, meaning);
  }

  // Reads the values of the present line, and of those that follow it while a quote is open.
  bool read_row() {
    constexpr int most_lines = 100;
    const std::string_view row = lines_.line();
    if (row.find('"') == std::string_view::npos) {
      split(row, separator_, plain_);
      values_.resize(plain_.size());
      for (std::size_t n = 0; n < plain_.size(); ++n) values_[n] = without_blanks(plain_[n]);
      return true;
    }
    row_ = row;
    for (int n = 0; std::count(row_.begin(), row_.end(), '"') % 2 != 0; ++n) {
      if (n == most_lines || !lines_.next()) return false;
      (row_ += '\n') += lines_.line();
    }
    unquote();
    return true;
  }

  void unquote() {
    values_.assign(1, "");
    bool quoted = false;
    for (std::size_t at = 0; at < row_.size(); ++at) {
      const char c = row_[at];
      if (c == '"' && quoted && at + 1 < row_.size() && row_[at + 1] == '"')
        values_.back() += row_[++at];
      else if (c == '"')
        quoted = !quoted;
      else if (c == separator_ && !quoted)
        values_.emplace_back();
      else
        values_.back() += c;
    }
    for (std::string& value : values_) value = std::string{without_blanks(value)};
  }

  std::string_view value(column what) const {
    return at_[what] == nowhere ? std::string_view{} : std::string_view{values_[at_[what]]};
  }

  void read_job(log_record& record) {
    const auto read = [&](column what, std::optional<double> (*parse)(std::string_view), double& to) {
      const std::string_view text = value(what);
      if (text.empty() || has_word("unknown none unlimited", text)) return;
      const auto x = parse(text);
      if (x) to = *x;
      if (!x && record.left_out.empty()) record.left_out = flaws[what];
    };
    double of_job = log_record::unknown;
    read(arrival, moment_of, record.submit);
    read(size, duration_of, record.run);
    read(cores, number_of, record.requested_cores);
    read(memory, memory_of, of_job);
    read(requested, duration_of, record.requested);
    read_amounts(record);
    read_dependency(record);
    read(think, duration_of, record.think);
    double started = log_record::unknown;
    read(start, moment_of, started);
    if (record.submit >= 0.0 && started >= record.submit) record.waited = started - record.submit;
    record.damaged = !record.left_out.empty();
    if (record.damaged) return;
    if (at_[cores] == nowhere && !of_queue_) record.requested_cores = 1.0;
    if (of_job >= 0.0) record.memory = of_job / std::max(record.requested_cores, 1.0);
    record.user = value(user);
    record.partition = value(partition);
    record.queue = value(queue);
    if (of_queue_)
      read_state(record);
    else
      record.left_out = flaw_of_times(record);
  }

  // Reads which jobs were to end before: as Slurm writes it, or the number of one.
  void read_dependency(log_record& record) {
    record.number = job_number_of(value(job)).value_or(job_number{});
    const std::string_view text = value(after);
    const auto one = job_number_of(text);
    record.depends = one || (same_word(text.substr(0, 5), "after") && text.find(':') != std::string_view::npos);
    if (!record.depends) return;
    record.preceding = &preceding_;
    if (one)
      preceding_.assign(1, *one);
    else
      record.waits_otherwise = !preceding_jobs(text, record.number, preceding_);
  }

  void read_state(log_record& record) {
    const std::string_view text = value(state);
    const bool runs = same_word(text, "running");
    record.state = runs ? logged_state::runs : logged_state::waits;
    record.job_class = value(job_class);
    if (runs) record.elapsed = duration_of(value(elapsed)).value_or(log_record::unknown);
    if (runs) record.nodes = node_list_in(value(nodes));
    if (!runs && !same_word(text, "waiting")) {
      record.left_out = "whose state is neither waiting nor running";
    } else if (runs && record.elapsed < 0.0) {
      record.left_out = "that run without a time since their start (elapsed)";
    }
    record.damaged = !record.left_out.empty();
  }

  void read_amounts(log_record& record) {
    give_amounts(record, [&](std::size_t n) {
      const std::string& text = values_[resources_at_[n]];
      const auto amount = memory_of(text);
      if (!amount && !text.empty() && record.left_out.empty())
        record.left_out = "whose amount of a resource is no number";
      return amount.value_or(log_record::unknown);
    });
  }

  static constexpr std::array<std::string_view, column_count> flaws{
      "whose arrival is no time",       "whose size is no time",           "whose cores are no number",
      "whose memory is no amount",      "whose request is no time",        "whose user cannot be read",
      "whose partition cannot be read", "whose queue cannot be read",      "whose state cannot be read",
      "whose elapsed is no time",       "whose class cannot be read",      "whose nodes cannot be read",
      "whose number cannot be read",    "whose dependency cannot be read", "whose think time is no time",
      "whose start is no time"};

  bool of_queue_;
  char separator_ = ',';
  std::vector<std::string> heads_, values_;
  std::vector<std::string_view> plain_;
  std::string row_;                             // of several lines, or with quotes
  std::array<std::size_t, column_count> at_{};  // of each column
  std::vector<std::size_t> resources_at_;       // columns of the resources that were asked for
  std::vector<job_number> preceding_;           // for whose ends it was to wait
};

bool looks_like_csv(std::string_view begin) {
  const std::string_view line = first_text(begin);
  return line.find(separator_of(line)) != std::string_view::npos;
}

}  // namespace

extern const log_format_entry csv_format{
    "csv",
    5,
    "table with a header (CSV)",
    true,
    looks_like_csv,
    [](line_stream& lines, const log_columns& columns) -> std::unique_ptr<log_reader> {
      return std::make_unique<csv_reader>(lines, columns, false);
    },
    [](line_stream& lines) -> std::unique_ptr<log_reader> {
      return std::make_unique<csv_reader>(lines, log_columns{}, true);
    }};

}  // namespace muster
