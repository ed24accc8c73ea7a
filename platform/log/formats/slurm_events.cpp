#include <algorithm>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

/// The value of an option, which follows it or is behind an equals sign. @return nothing: it is no such option
std::optional<std::string_view> value_of_option(const std::vector<std::string_view>& words, std::size_t& at,
                                                std::string_view letter, std::string_view name) {
  const std::string_view word = words[at];
  if (word == letter || word == name) return at + 1 < words.size() ? words[++at] : std::string_view{};
  if (word.size() > name.size() && word.substr(0, name.size()) == name && word[name.size()] == '=')
    return word.substr(name.size() + 1);
  return std::nullopt;
}

/// Events of the Slurm simulator (Simakov et al., "A Slurm simulator: implementation and parametric analysis", 2017): a
/// job a line, with the time of its submission, its run time, and the options of its sbatch.
class slurm_events_reader final : public log_reader {
 public:
  using log_reader::log_reader;

  /// Devices are of `--gres`, and nodes, called `node`, of `-N`.
  bool tell(const std::vector<std::string>& resources) override { return keep(resources); }

  bool next(log_record& record) override {
    do {
      if (!next_text()) return false;
    } while (without_blanks(lines_.line()).front() == '#');
    record = {};
    record.line = lines_.number();
    words_of(lines_.line(), most_words, words_);
    read_job(record);
    return true;
  }

 private:
  static constexpr std::size_t most_words = 200;

  struct options {
    double nodes = 1.0, tasks = log_record::unknown, cores_of_task = 1.0;
    double memory_of_node = log_record::unknown, memory_of_core = log_record::unknown;
    std::string_view devices_of_node{};
  };

  void read_job(log_record& record) {
    if (std::find(words_.begin(), words_.end(), "submit_batch_job") == words_.end()) {
      record.damaged = words_.front() != "-dt";
      record.left_out = record.damaged ? "that are no events" : "that submit no job";
      return;
    }
    options found;
    for (std::size_t at = 0; at < words_.size(); ++at) read_option(at, record, found);
    const double tasks = found.tasks > 0.0 ? found.tasks : std::max(found.nodes, 1.0);
    record.requested_cores = tasks * std::max(found.cores_of_task, 1.0);
    if (found.memory_of_core > 0.0)
      record.memory = found.memory_of_core;
    else if (found.memory_of_node > 0.0)
      record.memory = found.memory_of_node * std::max(found.nodes, 1.0) / record.requested_cores;
    const double nodes = std::max(found.nodes, 1.0);
    give_amounts(record, [&](std::size_t n) {
      return resources_[n] == "node" ? nodes : devices_in_list(found.devices_of_node, resources_[n]) * nodes;
    });
    if (record.run < 0.0) record.run = record.requested;  // it runs until its limit
    record.left_out = flaw_of_times(record);
  }

  void read_option(std::size_t& at, log_record& record, options& found) const {
    const auto take = [&](std::string_view letter, std::string_view name, double& to,
                          std::optional<double> (*parse)(std::string_view)) {
      const auto value = value_of_option(words_, at, letter, name);
      if (value) to = parse(*value).value_or(log_record::unknown);
      return value.has_value();
    };
    const auto take_name = [&](std::string_view letter, std::string_view name, std::string_view& to) {
      const auto value = value_of_option(words_, at, letter, name);
      if (value) to = *value;
      return value.has_value();
    };
    // The first one that it is; `||` leaves the others out.
    (void)(take("-dt", "-dt", record.submit, number_of) ||
           take("-sim-walltime", "-sim-walltime", record.run, number_of) ||
           take("-t", "--time", record.requested, limit_of) || take("-N", "--nodes", found.nodes, number_of) ||
           take("-n", "--ntasks", found.tasks, number_of) ||
           take("-c", "--cpus-per-task", found.cores_of_task, number_of) ||
           take("--mem", "--mem", found.memory_of_node, memory_in_megabytes) ||
           take("--mem-per-cpu", "--mem-per-cpu", found.memory_of_core, memory_in_megabytes) ||
           take_name("--uid", "--uid", record.user) || take_name("-p", "--partition", record.partition) ||
           take_name("-q", "--qos", record.queue) || take_name("--gres", "--gres", found.devices_of_node));
  }

  // A limit of sbatch: a number alone is minutes.
  static std::optional<double> limit_of(std::string_view text) {
    if (const auto minutes = number_of(text)) return *minutes * 60.0;
    return duration_of(text);
  }
  // Memory of sbatch: a number alone is megabytes.
  static std::optional<double> memory_in_megabytes(std::string_view text) {
    constexpr double megabyte = 1048576.0;
    if (const auto megabytes = number_of(text)) return *megabytes * megabyte;
    return memory_of(text);
  }

  std::vector<std::string_view> words_;
};

bool looks_like_slurm_events(std::string_view begin) {
  while (!begin.empty()) {
    const std::string_view line = first_line(begin);
    if (!line.empty() && line.front() != '#') return line.substr(0, 4) == "-dt ";
  }
  return false;
}

}  // namespace

extern const log_format_entry slurm_events_format{
    "slurm_events", 4, "events of the Slurm simulator", false, looks_like_slurm_events, open_log<slurm_events_reader>};

}  // namespace muster
