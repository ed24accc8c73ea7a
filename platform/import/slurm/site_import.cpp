#include "platform/import/slurm/site_import.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "platform/import/slurm/site_blocks.h"
#include "platform/import/slurm/unused_files.h"
#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

constexpr std::string_view expected_files =
    "expected slurm.conf, gres.conf, topology.conf, or what sacct -P, squeue, sinfo, sacctmgr dump or scontrol show "
    "prints";

bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && same_word(text.substr(0, word.size()), word);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Whether a line is the head of what `sacctmgr -P show qos` prints.
bool is_head_of_qos(std::string_view line) {
  std::vector<std::string_view> heads;
  split(line, '|', heads);
  const auto has = [&](std::string_view name) {
    return std::any_of(heads.begin(), heads.end(), [&](std::string_view h) { return same_word(h, name); });
  };
  return heads.size() > 1 && has("Name") &&
         (has("Priority") || has("Preempt") || has("GrpTRES") || has("MaxTRESPU") || has("MaxWall"));
}

struct site_file {
  std::string path;
  site_file_kind kind;
  const log_format_entry* format = nullptr;  // of a log
};

site_file file_of(const std::string& path) {
  try {
    const line_stream lines(path);
    const auto kind = site_file_kind_of(lines.begin(), std::filesystem::path{path}.filename().string());
    if (!kind) throw std::runtime_error(fmt::format("is no file of a Slurm site; {}", expected_files));
    return {path, *kind, *kind == site_file_kind::log ? format_of(lines.begin()) : nullptr};
  } catch (const std::runtime_error& e) {
    throw site_error(fmt::format("{}: {}", path, e.what()));
  }
}

/// Reads the files of a site: first what describes the machine, then its jobs.
class site_reader {
 public:
  site_reader(const site_request& request, imported_site& result) : request_(request), unused_(result.unused) {
    site_.name = request.name;
    for (const std::string& path : request.paths) files_.push_back(file_of(path));
  }

  slurm_site read() {
    of_kind(site_file_kind::slurm_conf, [&](const site_file& file) {
      for (const site_line& line : lines_of(file))
        if (!hardware_.take(line)) take_settings(line, site_.settings, unused_);
    });
    settle_preemption(site_.settings.policy, unused_);
    // What scontrol shows of nodes and partitions is taken where no slurm.conf describes any.
    const bool configured = hardware_.has_nodes(), parted = hardware_.has_partitions();
    of_kind(site_file_kind::nodes, [&](const site_file& file) {
      const std::vector<site_line> blocks = read_site_blocks(file.path, "NodeName");
      list_states(blocks, unused_);
      for (const site_line& block : blocks)
        if (!configured) hardware_.take(as_configured(block, unused_));
    });
    of_kind(site_file_kind::partitions, [&](const site_file& file) {
      for (const site_line& block : read_site_blocks(file.path, "PartitionName"))
        if (!parted) hardware_.take(as_configured(block, unused_));
    });
    of_kind(site_file_kind::states, [&](const site_file& file) { list_sinfo(file.path, unused_); });
    of_kind(site_file_kind::accounts,
            [&](const site_file& file) { read_accounts(file.path, site_.accounts, unused_); });
    of_kind(site_file_kind::qos,
            [&](const site_file& file) { read_qos_table(file.path, site_.accounts.qos, unused_); });
    settle_accounts(site_.accounts, site_.settings.enforces_limits || !has_kind(site_file_kind::slurm_conf), unused_);
    site_.hardware = hardware_.result();
    name_gres();
    of_kind(site_file_kind::gres_conf,
            [&](const site_file& file) { check_gres(lines_of(file), site_.hardware, unused_); });
    of_kind(site_file_kind::topology_conf, [&](const site_file& file) {
      for (const site_line& line : lines_of(file))
        unused_.add(line.at, schedule_effect::certain, line.words.front().first,
                    "switches do not decide on placement yet, nor is there a network");
    });
    of_kind(site_file_kind::log, [&](const site_file& file) {
      read_site_jobs(file.path, *file.format, file.format->open == nullptr, request_.allocated, site_.jobs, unused_);
    });
    of_kind(site_file_kind::jobs,
            [&](const site_file& file) { take_job_blocks(read_site_blocks(file.path, "JobId"), site_.jobs, unused_); });
    return std::move(site_);
  }

 private:
  bool has_kind(site_file_kind kind) const {
    return std::any_of(files_.begin(), files_.end(), [&](const site_file& file) { return file.kind == kind; });
  }

  template <class Function>
  void of_kind(site_file_kind kind, const Function& read) {
    for (const site_file& file : files_)
      if (file.kind == kind) try {
          read(file);
        } catch (const log_error& e) {
          throw site_error(e.line > 0 ? fmt::format("{}:{}: {}", file.path, e.line, e.what())
                                      : fmt::format("{}: {}", file.path, e.what()));
        } catch (const std::runtime_error& e) {
          throw site_error(fmt::format("{}: {}", file.path, e.what()));
        }
  }

  // The lines of a file, unless another one has included it.
  std::vector<site_line> lines_of(const site_file& file) {
    std::error_code error;
    const std::string whole = std::filesystem::weakly_canonical(file.path, error).string();
    if (std::find(read_.begin(), read_.end(), whole) != read_.end()) return {};
    return read_site_lines(file.path, unused_, read_);
  }

  void name_gres() {
    std::set<std::string> names;
    for (const site_nodes& nodes : site_.hardware.nodes)
      for (const auto& [name, number] : nodes.gres) names.insert(name);
    site_.jobs.gres.assign(names.begin(), names.end());
  }

  const site_request& request_;
  unused_values& unused_;
  std::vector<site_file> files_;
  std::vector<std::string> read_;  // absolute paths
  hardware_reader hardware_{unused_};
  slurm_site site_;
};

}  // namespace

std::optional<site_file_kind> site_file_kind_of(std::string_view begin, std::string_view name) {
  const std::string_view all = begin;
  const bool indented = contains(all, "\n  ");
  bool gres = false, conf = false;
  std::string_view first;
  while (!begin.empty()) {
    const std::string_view line = without_blanks(first_line(begin));
    if (line.empty() || line.front() == '#') continue;
    if (first.empty()) first = line;
    if (begins_with(line, "SwitchName=")) return site_file_kind::topology_conf;
    gres = gres || begins_with(line, "AutoDetect=") || begins_with(line, "Name=") ||
           (begins_with(line, "NodeName=") && contains(line, " Name="));
    for (const char* key : {"ClusterName", "SlurmctldHost", "ControlMachine", "PartitionName", "NodeName", "Include "})
      conf = conf || begins_with(line, key);
  }
  if (begins_with(first, "JobId=")) return site_file_kind::jobs;
  if (begins_with(first, "NodeName=") && indented && contains(all, "CPUTot=")) return site_file_kind::nodes;
  if (begins_with(first, "PartitionName=") && indented && contains(all, "AllocNodes="))
    return site_file_kind::partitions;
  if (begins_with(first, "Cluster - ") || begins_with(first, "Parent - ") || begins_with(first, "add ") ||
      begins_with(first, "remove ") || begins_with(first, "modify "))
    return site_file_kind::accounts;
  if (is_head_of_qos(first)) return site_file_kind::qos;
  if (gres) return site_file_kind::gres_conf;
  if (conf) return site_file_kind::slurm_conf;
  if (contains(first, "PARTITION") && !contains(first, "JOBID") &&
      (contains(first, "NODELIST") || contains(first, "NODES")))
    return site_file_kind::states;
  if (format_of(all) != nullptr) return site_file_kind::log;
  for (const auto& [part, kind] :
       {std::pair("slurm.conf", site_file_kind::slurm_conf), std::pair("gres.conf", site_file_kind::gres_conf),
        std::pair("topology.conf", site_file_kind::topology_conf)})
    if (contains(name, part)) return kind;
  return std::nullopt;
}

bool is_site(const std::vector<std::string>& paths) {
  if (paths.size() != 1) return true;
  try {
    const line_stream lines(paths.front());
    const auto kind = site_file_kind_of(lines.begin(), std::filesystem::path{paths.front()}.filename().string());
    return kind && *kind != site_file_kind::log;
  } catch (const std::runtime_error&) {
    return false;  // reading it as a log says why
  }
}

imported_site import_site(const site_request& request) {
  imported_site result;
  const slurm_site site = site_reader(request, result).read();
  try {
    result.scenario = scenario_of(site, result.unused);
  } catch (const std::invalid_argument& e) {
    throw site_error(e.what());
  }
  return result;
}

}  // namespace muster
