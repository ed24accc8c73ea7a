#include "platform/import/slurm/site_scenario.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/import/slurm/job_shape.h"
#include "platform/import/slurm/node_groups.h"
#include "platform/import/slurm/site_policy.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr double planned_without_limit = 365.0 * 86400.0;  // what Slurm plans with where a job has no limit

/// Writes the scenario of a site, part by part.
class site_writer {
 public:
  site_writer(const slurm_site& site, unused_values& unused)
      : site_(site),
        unused_(unused),
        groups_(group_nodes(site.hardware, unused)),
        policy_(site.settings, site.accounts, unused) {
    if (groups_.groups.empty())
      throw std::invalid_argument(
          "no node of a partition is known; expected slurm.conf, or what scontrol show node "
          "and scontrol show partition print");
    if (site.jobs.ended.empty() && site.jobs.queue.empty())
      throw std::invalid_argument("no job is known; expected what sacct -P or squeue prints");
    std::set<std::string> taken{"cores", "memory"};
    for (const std::string& name : site.jobs.gres) gres_names_.push_back(valid_name(name, taken));
    for (const site_partition& partition : site.hardware.partitions)
      classes_.push_back(valid_name(class_name(partition.name), taken_classes_));
    for (std::size_t p = 0; p < site.hardware.partitions.size(); ++p) {
      nodes_.emplace_back();
      for (const std::size_t group : groups_.of_partition[p]) nodes_.back().push_back(&groups_.groups[group]);
    }
    used_.resize(classes_.size(), false);
  }

  site_scenario write() {
    site_scenario result;
    write_jobs(result);
    write_queue(result);
    if (listed_ == 0 && waiting_ + running_ == 0)
      throw std::invalid_argument("no job of the files can run on the nodes of its partition");
    if (listed_ == 0) result.jobs.clear();
    if (waiting_ + running_ == 0) result.queue.clear();
    result.toml = toml(!result.jobs.empty(), !result.queue.empty());
    result.jobs_with_start = with_start_;
    result.waiting = waiting_;
    say(result);
    return result;
  }

 private:
  // The name of a partition, as far as it stands for nothing else in results.
  static std::string class_name(const std::string& partition) {
    const bool reserved =
        partition == "all" || partition.rfind("phase_", 0) == 0 || partition.rfind("resource_", 0) == 0;
    return reserved ? "partition_" + partition : partition;
  }

  bool counts_memory() const { return site_.settings.counts_memory; }

  // The place of a job's partition; none: it cannot run, and is listed as left out.
  std::optional<std::size_t> partition_of(const site_job& job) {
    const auto& all = site_.hardware.partitions;
    auto found = std::find_if(all.begin(), all.end(), [&](const site_partition& p) { return p.name == job.partition; });
    if (job.partition.empty()) {
      found = std::find_if(all.begin(), all.end(), [](const site_partition& p) { return p.is_default; });
      if (found == all.end()) found = all.begin();
      unused_.add(job.at, schedule_effect::possible, "jobs without a partition",
                  fmt::format("they are of partition {}", found->name));
    }
    if (found == all.end()) {
      unused_.add(job.at, schedule_effect::certain, fmt::format("jobs of partition {}", job.partition),
                  "left out, as no file describes the partition");
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - all.begin());
  }

  // Bytes of each core of a job, from its partition's or the cluster's default where the job does not tell them.
  double memory_of(const site_job& job, const site_partition& partition) {
    if (!counts_memory()) return 0.0;
    if (job.memory > 0.0) return job.memory;
    const double nodes = std::max<double>(job.nodes, 1.0);
    for (const auto& [of_core, of_node] : {std::pair(partition.memory_of_core, partition.memory_of_node),
                                           std::pair(site_.settings.memory_of_core, site_.settings.memory_of_node)}) {
      if (!(of_core > 0.0) && !(of_node > 0.0)) continue;
      unused_.add(job.at, schedule_effect::possible, "memory of jobs",
                  "the file does not tell it; DefMemPerCPU or DefMemPerNode is taken");
      return of_core > 0.0 ? of_core : of_node * nodes / job.cores;
    }
    unused_.add(job.at, schedule_effect::certain, "memory of jobs",
                "neither the jobs nor DefMemPerCPU or DefMemPerNode tell it; they hold none");
    return 0.0;
  }

  double requested(const site_job& job, const site_partition& partition) const {
    if (job.requested > 0.0) return job.requested;
    if (partition.usual > 0.0) return partition.usual;
    double longest = planned_without_limit;
    for (const double limit : {partition.longest, policy_.longest_of(job)})
      if (limit > 0.0) longest = std::min(longest, limit);
    return longest;
  }

  // The need of a job; none: its partition has no room for it even when it is empty, and it is listed as left out.
  std::optional<job_shape> need_of(const site_job& job, std::size_t p) {
    const site_partition& partition = site_.hardware.partitions[p];
    const bool exclusive = job.exclusive || partition.exclusive || site_.settings.whole_nodes;
    const std::vector<std::string>& gres = site_.jobs.gres;
    job_shape shape = shape_of(job, memory_of(job, partition), exclusive, gres, nodes_[p]);
    if (job.nodes > 0 && shape.tasks != job.nodes)
      unused_.add(job.at, schedule_effect::certain, "the number of nodes of jobs",
                  "it does not divide cores and devices, or no node has as much; they are spread as room is");
    if (fits(shape, gres, nodes_[p])) {
      if (policy_.refuses(partition, job, cores_of(shape), nodes_of(shape, p))) return std::nullopt;
      return shape;
    }
    unused_.add(job.at, schedule_effect::certain, fmt::format("jobs of partition {}", partition.name),
                "left out, as they need more than its nodes have");
    return std::nullopt;
  }

  static double cores_of(const job_shape& shape) { return static_cast<double>(shape.tasks) * shape.cores; }
  double nodes_of(const job_shape& shape, std::size_t p) const {
    return static_cast<double>(fewest_nodes(shape, site_.jobs.gres, nodes_[p]));
  }
  std::string qos_of(const site_job& job, const job_shape& shape, std::size_t p) {
    return policy_.qos_of(job, cores_of(shape), nodes_of(shape, p));
  }

  // "17", or "17_3" of an array; empty: not known.
  static std::string number_text(const job_number& number) {
    if (number.job == 0) return "";
    return number.task == job_number::whole ? fmt::format("{}", number.job)
                                            : fmt::format("{}_{}", number.job, number.task);
  }

  void write_jobs(site_scenario& result) {
    std::vector<const site_job*> jobs;
    for (const site_job& job : site_.jobs.ended) jobs.push_back(&job);
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const site_job* a, const site_job* b) { return a->submit < b->submit; });
    std::string text = "id,arrival,size,class,tasks,cores";
    if (counts_memory()) text += ",memory";
    for (const std::string& name : gres_names_) text += "," + name;
    const bool starts = std::any_of(jobs.begin(), jobs.end(), [](const site_job* job) { return job->waited >= 0.0; });
    text += fmt::format(",exclusive,requested,user{}{}\n", starts ? ",start" : "", policy_.has_qos() ? ",qos" : "");
    std::optional<double> first;
    for (const site_job* job : jobs) {
      const auto p = partition_of(*job);
      const auto need = p ? need_of(*job, *p) : std::nullopt;
      if (!need) continue;
      if (!first) first = job->submit;
      used_[*p] = true;
      text += fmt::format("{},{},{},{},{},{}", ++listed_, shortest(job->submit - *first), shortest(job->run),
                          classes_[*p], need->tasks, need->cores);
      if (counts_memory()) text += fmt::format(",{:.0f}", std::floor(need->memory));
      for (const std::uint32_t devices : need->gres) text += fmt::format(",{}", devices);
      text += fmt::format(",{},{},{}", need->exclusive, shortest(requested(*job, site_.hardware.partitions[*p])),
                          field_of(job->user));
      const bool started = job->waited >= 0.0;
      if (starts) text += started ? "," + shortest(job->submit - *first + job->waited) : ",";
      with_start_ += started ? 1 : 0;
      const std::string qos = qos_of(*job, *need, *p);
      text += policy_.has_qos() ? "," + qos + "\n" : "\n";
    }
    result.jobs = std::move(text);
  }

  void write_queue(site_scenario& result) {
    std::string text =
        fmt::format("state,elapsed,requested,cores,class,arrival,nodes,user,job{}\n", policy_.has_qos() ? ",qos" : "");
    std::map<std::pair<std::size_t, job_shape>, std::string> shapes;
    for (const site_job& job : site_.jobs.queue) {
      const auto p = partition_of(job);
      auto need = p ? need_of(job, *p) : std::nullopt;
      if (!need) continue;
      const bool runs = job.state == logged_state::runs;
      ++(runs ? running_ : waiting_);
      job_shape one = *need;
      one.tasks = 1;  // cores tell the number of tasks
      const auto [known, is_new] = shapes.try_emplace({*p, one}, "");
      if (is_new) {
        known->second = valid_name(classes_[*p] + "-now", taken_classes_);
        queue_classes_ += class_text(known->second, *p, per_task_text(one));
      }
      const std::string qos = qos_of(job, *need, *p);
      text += fmt::format("{},{},{},{},{},{},{},{},{}{}\n", runs ? "running" : "waiting",
                          runs ? shortest(std::max(job.elapsed, 0.0)) : "",
                          shortest(requested(job, site_.hardware.partitions[*p])), need->tasks * need->cores,
                          known->second, job.submit >= 0.0 ? shortest(job.submit) : "", nodes_text(job),
                          field_of(job.user), number_text(job.number), policy_.has_qos() ? "," + qos : "");
    }
    result.queue = std::move(text);
  }

  // The nodes of a job that runs, as the scenario calls them, in double quotes; empty if one of them is not there, or
  // if the policy plans for each server: what it plans would not be where the job is.
  std::string nodes_text(const site_job& job) {
    if (job.state != logged_state::runs || job.node_list.empty()) return "";
    const auto names = names_in_node_list(job.node_list);
    std::string text;
    if (names)
      for (const std::string& name : *names) {
        const auto found = groups_.names.find(name);
        if (found == groups_.names.end()) {
          text.clear();
          break;
        }
        text += (text.empty() ? "" : ",") + found->second;
      }
    if (text.empty()) {
      unused_.add(job.at, schedule_effect::certain, "nodes of jobs that run",
                  "no file describes them; the policy places these jobs");
      return "";
    }
    return '"' + text + '"';
  }

  std::string per_task_text(const job_shape& shape) const {
    std::string text = fmt::format("per_task = {{ cores = {}", shape.cores);
    if (counts_memory()) text += fmt::format(", memory = {:.0f}", std::floor(shape.memory));
    for (std::size_t n = 0; n < gres_names_.size(); ++n)
      if (shape.gres[n] > 0) text += fmt::format(", {} = {}", gres_names_[n], shape.gres[n]);
    return text + " }\n" + (shape.exclusive ? "exclusive = true\n" : "");
  }

  std::string class_text(const std::string& name, std::size_t p, const std::string& need) const {
    std::string servers;
    for (const node_group* group : nodes_[p])
      servers += fmt::format("{}\"{}\"", servers.empty() ? "" : ", ", group->name);
    return fmt::format("\n[[classes]]\nname = \"{}\"\nservers = [{}]\n{}", name, servers, need) +
           policy_.of_partition(site_.hardware.partitions[p]);
  }

  std::string servers_text() const {
    std::string text = "[platform]\nservers = [\n";
    for (const node_group& group : groups_.groups) {
      text += fmt::format("  {{ name = \"{}\", count = {}, cores = {}", group.name, group.count, group.cores);
      std::string resources;
      if (counts_memory()) resources = fmt::format("memory = {:.0f}", group.memory);
      for (std::size_t n = 0; n < gres_names_.size(); ++n)
        if (const auto devices = group.gres.find(site_.jobs.gres[n]); devices != group.gres.end())
          resources +=
              fmt::format("{}{} = {:.0f}", resources.empty() ? "" : ", ", gres_names_[n], std::floor(devices->second));
      if (!resources.empty()) text += fmt::format(", resources = {{ {} }}", resources);
      text += " },\n";
    }
    return text + "]\n";
  }

  std::string toml(bool jobs, bool queue) const {
    std::string text = fmt::format(
        "name = \"{}\"\nabout = \"a cluster, and its jobs, as files of Slurm tell\"\n"
        "time_unit = \"s\"\n\n",
        site_.name);
    if (counts_memory() || !gres_names_.empty()) {
      text += "[platform.resources]\n";
      if (counts_memory()) text += "memory = { kind = \"amount\", unit = \"B\" }\n";
      for (const std::string& name : gres_names_) text += fmt::format("{} = {{ kind = \"devices\" }}\n", name);
      text += "\n";
    }
    text += servers_text();
    for (std::size_t p = 0; p < classes_.size(); ++p)
      if (used_[p]) text += class_text(classes_[p], p, "");
    text += queue_classes_;
    text += "\n[arrivals]\n";
    text += jobs ? fmt::format("process = \"list\"\nfile = \"{}_jobs.csv\"\n", site_.name) : "process = \"none\"\n";
    text += "estimate = \"requested\"\n";
    if (queue) text += fmt::format("\n[initial]\nfile = \"{}_queue.csv\"\n", site_.name);
    return text + "\n[policy]\n" + policy_.text() + "\n[run]\nreplications = 1\n";
  }

  void say(site_scenario& result) const {
    double cores = 0.0;
    std::uint64_t nodes = 0;
    for (const node_group& group : groups_.groups) {
      nodes += group.count;
      cores += static_cast<double>(group.count) * group.cores;
    }
    result.sentences.push_back(fmt::format("cluster {}: {} nodes with {:.0f} cores, in {} entries of servers",
                                           site_.settings.cluster.empty() ? "without a name" : site_.settings.cluster,
                                           nodes, cores, groups_.groups.size()));
    result.sentences.push_back(fmt::format("read: {}", fmt::join(site_.jobs.sources, ", ")));
    result.sentences.push_back(
        fmt::format("jobs: {} arrive; {} run and {} wait at time 0", listed_, running_, waiting_));
    result.sentences.emplace_back(
        site_.settings.backfill
            ? "policy: slurm, with the parameters of slurm.conf"
            : "policy: fcfs in place of sched/builtin: where partitions share no nodes, one does not wait for the "
              "other "
              "in Slurm");
  }

  const slurm_site& site_;
  unused_values& unused_;
  node_groups groups_;
  site_policy policy_;
  std::vector<std::string> gres_names_, classes_;  // as the scenario has them
  std::set<std::string> taken_classes_;
  std::vector<std::vector<const node_group*>> nodes_;  // of each partition
  std::vector<bool> used_;                             // which partitions have jobs that arrive
  std::string queue_classes_;
  std::size_t listed_ = 0, with_start_ = 0, waiting_ = 0, running_ = 0;
};

}  // namespace

site_scenario scenario_of(const slurm_site& site, unused_values& unused) { return site_writer(site, unused).write(); }

}  // namespace muster
