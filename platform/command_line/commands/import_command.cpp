#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "muster/policies/name.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/import_text.h"
#include "platform/command_line/written_file.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/store/result_directory.h"
#include "platform/store/stored_run.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr const char* import_footer = R"(
Reads a log as arrivals.process = "log" does (Standard Workload Format, sacct -P, CSV; plain, gzip or zstd), fits
classes, rates of arrival and laws of run times to it, and writes a scenario that runs as it stands. Then it says how
well synthetic jobs of that scenario reproduce the log's own figures; the scenario has the same as a comment.

Without --class-by jobs become at most eight classes by their needs. Each class has the mean need of its jobs,
rounded, and the mean of their run times. The law of run times is one of exponential, hyperexponential, erlang,
lognormal, weibull and pareto, by likelihood. Arrivals are Poisson, with a rate for each hour of the week where the
log has two weeks, and of the day where it has two days. Capacity is MaxProcs of the log, MaxNodes, or the most that
its jobs held at once.

Several files, or one that is no log, are those of a Slurm site: slurm.conf, gres.conf, topology.conf, and what
sacct -P, squeue, sinfo, sacctmgr dump and scontrol show print. The scenario then has the site's nodes, partitions
and jobs themselves. What it does not have is listed by file and line.

Examples:
  muster import my.swf.gz
  muster import slurm.conf gres.conf jobs.txt queue.txt --out my_site.toml
  muster import jobs.txt --servers 100x64 --class-by partition --out my_cluster.toml
  muster import jobs.csv --columns arrival=submit size=elapsed cores=ncpus)";

// The log's file without what tells its format.
std::string stem_of_log(const std::string& path) {
  std::filesystem::path name = std::filesystem::path{path}.filename();
  for (const char* end : {".gz", ".zst", ".swf", ".csv", ".txt", ".log"})
    if (name.extension() == end) name = name.stem();
  return name.empty() ? "log" : name.string();
}

// A name that a scenario may have.
std::string scenario_name(const std::string& stem) {
  std::string valid = stem.substr(0, longest_name);
  for (char& c : valid)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  return valid;
}

std::string wrong_servers(const std::string& text) {
  if (servers_of_text(text)) return "";
  return fmt::format("expected COUNTxCORES, such as 16x8, of at most 1000000 cores a server, found {}",
                     in_quotes(text));
}

std::string wrong_class_rule(const std::string& text) {
  std::string wrong;
  log_class_rule::of_text(text, wrong);
  return wrong;
}

std::string wrong_column(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return fmt::format("expected WHAT=COLUMN, such as cores=ncpus, found {}", in_quotes(text));
  std::vector<std::string> known;
  for (const key_node& node : scenario_schema().find("arrivals")->find("columns")->children)
    known.emplace_back(node.name);
  return known_name("column", known)(text.substr(0, equals));
}

/// `muster import`
class import_command {
 public:
  explicit import_command(CLI::App& app) {
    app.add_option("log", paths_, "file with the log, or all files of a Slurm site")->required()->type_name("LOG");
    app.add_option("--out", out_, "the scenario to write (default: the log's name with .toml, in this folder)")
        ->type_name("FILE.toml");
    app.add_flag("--force", force_, "overwrite the file of --out");
    app.add_option("--class-by", request_.class_by,
                   "which jobs are a class: need, user, partition, queue, all, or ranges such as 'cores: 1, 2-16, 17-'")
        ->type_name("RULE")
        ->check(wrong_class_rule);
    app.add_option("--processors", processors_, "which number of processors is a job's need; else the other")
        ->type_name("requested|allocated")
        ->check(known_name("number of processors", {"requested", "allocated"}))
        ->capture_default_str();
    app.add_option("--servers", servers_, "servers, and cores of each, in place of what the log says")
        ->type_name("COUNTxCORES")
        ->check(wrong_servers);
    app.add_option("--columns", columns_, "columns of a CSV table by what they tell, as arrivals.columns has them")
        ->type_name("WHAT=COLUMN")
        ->check(wrong_column);
    add_format(app, format_, "figures by class");
    app.footer(import_footer);
  }

  int run(const invocation&) {
    if (is_site(paths_)) return run_site();
    complete_request();
    const std::filesystem::path out(out_);
    const std::filesystem::path written = file_behind(out, "a scenario to write, such as my.toml");
    check_free(written, out, force_);
    const fitted_log fit = fitted();
    const std::string scenario = scenario_text(fit);
    const model_check check = check_model(fit, scenario);
    result_directory::as_it_is(folder_of(written))
        .write(written.filename().string(), scenario_with_head(fit, check, scenario));
    fmt::print("{}", import_document(fit, check).in(format_));
    if (format_ == output_format::table)
      fmt::print("\n{} is written; muster run {} simulates it\n", out.string(), shell_word(out.string()));
    return done;
  }

 private:
  // Imports the files of a site.
  int run_site() {
    for (const auto& [option, is_given] :
         {std::pair("--class-by", !request_.class_by.empty()), std::pair("--servers", !servers_.empty()),
          std::pair("--columns", !columns_.empty())})
      if (is_given) throw results_error(fmt::format("{}: has no effect on files of a Slurm site", option));
    site_request request;
    request.paths = paths_;
    request.allocated = processors_ == "allocated";
    if (out_.empty()) out_ = "slurm_site.toml";
    request.name = scenario_name(std::filesystem::path(out_).stem().string());
    try {
      write_site(import_site(request), out_, request.name, force_, format_);
    } catch (const site_error& e) {
      throw results_error(e.what());
    }
    return done;
  }

  void complete_request() {
    request_.path = paths_.front();
    const std::string stem = stem_of_log(request_.path);
    request_.name = scenario_name(stem);
    request_.allocated = processors_ == "allocated";
    if (!servers_.empty()) request_.servers = servers_of_text(servers_);
    for (const std::string& column : columns_)
      request_.columns.emplace_back(column.substr(0, column.find('=')), column.substr(column.find('=') + 1));
    if (out_.empty()) out_ = stem + ".toml";
  }

  fitted_log fitted() const {
    try {
      return fit_log(request_);
    } catch (const log_error& e) {
      throw results_error(e.line > 0 ? fmt::format("{}:{}: {}", request_.path, e.line, e.what())
                                     : fmt::format("{}: {}", request_.path, e.what()));
    } catch (const std::invalid_argument& e) {
      throw results_error(e.what());
    }
  }

  import_request request_{};
  std::string out_, processors_ = "requested", servers_;
  std::vector<std::string> paths_, columns_;
  bool force_ = false;
  output_format format_ = output_format::table;
};

}  // namespace

extern const command_entry import_command_entry{"import",
                                                "fit a scenario to a log of jobs, and say how well it reproduces them",
                                                75,
                                                "muster import my.swf.gz --class-by 'cores: 1, 2-16, 17-'",
                                                define_command<import_command>,
                                                false};

}  // namespace muster
