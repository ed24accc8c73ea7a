#include <algorithm>
#include <utility>

#include <boost/range/iterator_range.hpp>
#include <nlohmann/json.hpp>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/trace/decimal_time.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/text_cursor.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_writer.h"

namespace muster {

namespace {

// Threads are numbered through, whatever process they belong to, as those of an operating system are.
constexpr std::uint64_t cluster_process = 1, first_bank = 2, phase_thread = 1, first_thread = 2;

// For a line without its names.
constexpr std::size_t room_for_line = 512;
constexpr std::string_view of_slice = R"(,{"ph":"X",)";

std::string escaped(const std::string& text) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

// Names are put into every line: longer ones would only fill the file.
std::string label_of(const std::string& class_name, std::size_t number) {
  constexpr std::size_t longest = 64;
  const std::string name = escaped(class_name);
  return name.size() <= longest ? name : fmt::format("class {}", number);
}

/// trace.json: JSON trace events (the array form of the "Trace Event Format" of the Chromium project), which
/// ui.perfetto.dev and chrome://tracing open. Times are in microseconds, with all digits of the scenario's resolution.
///
/// - Process 1 is the cluster: a track with the policy's phases, the jobs as asynchronous slices from arrival to
///   departure, and counters of jobs waiting and of busy cores.
/// - Each entry of platform.servers is a process, each of its cores a thread. A slice is named after class and job; its
///   overhead and the saving of its state are slices within. Interruptions, migrations, preemptions and failures are
///   instants on the slice's first core.
/// - Where the network has edges of finite bandwidth, it is a process, and each way of such an edge a thread. A message
///   is a slice while it occupies the edge, told apart by its bytes; those that queue at the end of the run are there.
///
/// Events are in no particular order of time: what lasts is written when it is over.
class perfetto_trace final : public trace_writer {
 public:
  perfetto_trace(const scenario& what, const trace_request& trace)
      : microseconds_(-6 - what.unit.resolution_exponent),
        load_(what.classes.size()),
        last_line_(trace.kind->last_line),
        out_(trace.file) {
    for (const std::size_t at : by_descending_need(what)) classes_.push_back(label_of(what.classes[at].name, at));
    name_process(cluster_process, "cluster");
    name_thread(cluster_process, phase_thread, "phases");
    name_servers(what);
    name_edges(what);
    out_.flush();
  }

  void job_arrives(ticks now, const job_extension& job) override {
    bring_counters_to(now);
    load_.job_arrives(static_cast<class_id>(job.descriptor.type));
  }

  void job_completes(ticks now, const job_extension& job) override {
    bring_counters_to(now);
    load_.job_leaves(job.type);
    print_job(now, job, job.slots && job.slots->expired ? "expired" : "");
  }

  void phase_begins(ticks now, unsigned begun) override {
    print_phase(now);
    phase_ = begun;
    phase_begun_ = now;
  }

  void slice_begins(ticks now, const slice_view& slice) override {
    bring_counters_to(now);
    load_.slice_begins(slice);
    busy_cores_ += slice.cores.length;
    if (slice.start == slice_start::migrated) print_instant(now, slice, "migration");
  }

  void slice_saves(ticks now, const slice_view& slice) override { print_why(now, slice); }

  void slice_ends(ticks now, const slice_view& slice) override {
    bring_counters_to(now);
    load_.slice_ends(slice);
    busy_cores_ -= slice.cores.length;
    const bool saved = slice.held.ceased != core_ledger::tenure::never;
    if (!saved || slice.why == slice_extension::end::failed) print_why(now, slice);
    print_slice(now, slice);
  }

  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override {
    if (begins == ends) return;
    text_cursor to = begin_lasting(network_process_, first_edge_ + arc, begins, ends);
    to << bytes << " bytes\"}\n";
    out_.advance_to(to.at);
  }

  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override {
    bring_counters_to(now);
    bring_counters_to(now + 1);
    print_phase(now);
    for (const slice_view& slice : slices) print_slice(now, slice);
    const auto print_all = [&](const job* j) {
      for (; j; j = j->behind) print_job(now, extension_of(*j), "in the system at the end");
    };
    for (const class_id id : jobs.classes()) {
      print_all(jobs.first(id));
      print_all(jobs.running(id));
    }
    out_ << last_line_;
    out_.flush();
  }

 private:
  /// How the events of a core begin.
  struct beginning {
    char text[63];
    unsigned char length;
  };
  const beginning& core_of(const slice_view& slice, std::uint32_t core) const {
    return cores_[first_core_[slice.bank] + core];
  }

  void name_process(std::uint64_t process, const std::string& name) {
    print_name("process", fmt::format(R"("pid":{})", process), process, escaped(name));
  }

  void name_thread(std::uint64_t process, std::uint64_t thread, const std::string& name) {
    print_name("thread", fmt::format(R"("pid":{},"tid":{})", process, thread), thread, name);
  }

  void print_name(std::string_view of, const std::string& which, std::uint64_t place, const std::string& name) {
    out_ << std::exchange(separator_, ',')
         << fmt::format(R"({{"ph":"M",{1},"name":"{0}_name","args":{{"name":"{2}"}}}})", of, which, name) << "\n,"
         << fmt::format(R"({{"ph":"M",{1},"name":"{0}_sort_index","args":{{"sort_index":{2}}}}})", of, which, place)
         << '\n';
  }

  void name_servers(const scenario& what) {
    std::uint64_t thread = first_thread;
    for (std::size_t bank = 0; bank < what.servers.size(); ++bank) {
      const server_spec& s = what.servers[bank];
      first_core_.push_back(cores_.size());
      name_process(first_bank + bank, s.name);
      for (std::uint32_t server = 0; server < s.count; ++server)
        for (std::uint32_t core = 0; core < s.cores; ++core) {
          name_thread(first_bank + bank, thread,
                      s.count == 1 ? fmt::format("core {}", core) : fmt::format("server {} core {}", server, core));
          beginning& b = cores_.emplace_back();
          const auto written = fmt::format_to_n(b.text, sizeof b.text, R"({}"pid":{},"tid":{},"ts":)", of_slice,
                                                first_bank + bank, thread++);
          b.length = static_cast<unsigned char>(written.size);
        }
    }
  }

  void name_edges(const scenario& what) {
    if (!what.network.takes_time()) return;
    const network_graph graph = make_network_graph(what);
    network_process_ = first_bank + what.servers.size();
    first_edge_ = first_thread + cores_.size();
    bool named = false;
    for (const auto e : boost::make_iterator_range(edges(graph))) {
      if (graph[e].ticks_per_byte == 0.0) continue;
      if (!std::exchange(named, true)) name_process(network_process_, "network");
      const std::size_t from = source(e, graph), to = target(e, graph);
      for (const auto& [begin, end] : {std::pair{from, to}, std::pair{to, from}})
        name_thread(network_process_, first_edge_ + arc_of(graph[e], begin, end),
                    escaped(graph[begin].name + " to " + graph[end].name));
    }
  }

  // What lasts for some time, up to its name.
  text_cursor begin_lasting(std::uint64_t process, std::uint64_t thread, ticks from, ticks to) {
    text_cursor line{out_.room(room_for_line)};
    line << R"(,{"ph":"X","pid":)" << process << R"(,"tid":)" << thread << R"(,"ts":)";
    print(line, from);
    line << R"(,"dur":)";
    print(line, to - from);
    line << R"(,"name":")";
    return line;
  }

  void print_slice(ticks now, const slice_view& slice) {
    const auto& [begun, productive, ceased] = slice.held;
    char name[room_for_line];
    text_cursor to{name};
    to << (slice.holder ? std::string_view(classes_[slice.holder->type]) : "job") << ' ' << slice.job;
    print_on_cores(slice, begun, now, {name, static_cast<std::size_t>(to.at - name)});
    const ticks works = std::min(productive, now);
    print_on_cores(slice, begun, works, "overhead");
    print_on_cores(slice, std::max(works, std::min(ceased, now)), now, "saving");
  }

  // Most of a trace comes from here. Blocks of a fixed size are copied inline; what is too much is overwritten.
  void print_on_cores(const slice_view& slice, ticks from, ticks to, std::string_view name) {
    if (from == to) return;
    constexpr std::size_t block = 128;
    char rest[room_for_line];
    text_cursor end{rest};
    print(end, from);
    end << R"(,"dur":)";
    print(end, to - from);
    end << R"(,"name":")" << name << "\"}\n";
    const auto length = static_cast<std::size_t>(end.at - rest);
    slice.for_each_core([&](std::uint32_t core) {
      const beginning& b = core_of(slice, core);
      char* at = out_.room(sizeof b.text + sizeof rest);
      std::memcpy(at, b.text, sizeof b.text);
      at += b.length;
      if (length <= block)
        std::memcpy(at, rest, block);
      else
        std::memcpy(at, rest, length);
      out_.advance_to(at + length);
    });
  }

  // A job that is leaving loses its cores for the reason why it leaves.
  void print_why(ticks now, const slice_view& slice) {
    if (slice.why == slice_extension::end::interrupted)
      print_instant(now, slice, "interruption");
    else if (slice.why == slice_extension::end::failed)
      print_instant(now, slice, "failure");
    else if (slice.why == slice_extension::end::stopped && slice.holder &&
             (slice.holder->where != job::place::leaving || slice.holder->reason != leaves_for::failure))
      print_instant(now, slice, "preemption");
  }

  void print_instant(ticks now, const slice_view& slice, std::string_view name) {
    const beginning& b = core_of(slice, slice.cores.first);
    text_cursor to{out_.room(room_for_line)};
    to << R"(,{"ph":"i","s":"t",)" << std::string_view(b.text, b.length).substr(of_slice.size());
    print(to, now);
    to << R"(,"name":")" << name << R"(","args":{"job":)" << slice.job << "}}\n";
    out_.advance_to(to.at);
  }

  // The viewer puts asynchronous slices of the same name together: they are named after the class alone.
  void print_job(ticks now, const job_extension& job, std::string_view outcome) {
    const std::string& name = classes_[job.type];
    text_cursor to{out_.room(2 * (room_for_line + name.size()))};
    to << R"(,{"ph":"b","cat":"job","pid":1,"id":)" << job.id << R"(,"ts":)";
    print(to, job.arrival);
    to << R"(,"name":")" << name << "\"}\n"
       << R"(,{"ph":"e","cat":"job","pid":1,"id":)" << job.id << R"(,"ts":)";
    print(to, now);
    to << R"(,"name":")" << name << '"';
    if (!outcome.empty() || job.interruptions + job.migrations > 0) {
      to << R"(,"args":{"outcome":")" << (outcome.empty() ? "completed" : outcome) << R"(","interruptions":)"
         << std::uint64_t{job.interruptions} << R"(,"migrations":)" << std::uint64_t{job.migrations} << '}';
    }
    to << "}\n";
    out_.advance_to(to.at);
  }

  void print_phase(ticks now) {
    if (phase_ == 0 || now == phase_begun_) return;
    text_cursor to = begin_lasting(cluster_process, phase_thread, phase_begun_, now);
    to << "phase " << std::uint64_t{phase_} << "\"}\n";
    out_.advance_to(to.at);
  }

  // Once for an instant, when the next one comes.
  void bring_counters_to(ticks now) {
    if (now == counted_) return;
    print_counter("waiting", load_.waiting(), waiting_shown_);
    print_counter("busy", busy_cores_, busy_shown_);
    counted_ = now;
  }

  void print_counter(std::string_view name, std::uint64_t value, std::uint64_t& shown) {
    if (value == shown) return;
    shown = value;
    text_cursor to{out_.room(room_for_line)};
    to << R"(,{"ph":"C","pid":1,"ts":)";
    print(to, counted_);
    to << R"(,"name":")" << name << R"(","args":{"n":)" << value << "}}\n";
    out_.advance_to(to.at);
  }

  void print(text_cursor& to, ticks t) const { to.at = microseconds_.print(to.at, t); }

  decimal_time microseconds_;
  table<class_id, std::string> classes_;  // as the inside of JSON strings
  std::vector<std::size_t> first_core_;   // of each bank
  std::vector<beginning> cores_;
  std::uint64_t network_process_ = 0, first_edge_ = 0;  // process, and thread of its first way of an edge
  occupancy load_;
  std::uint64_t busy_cores_ = 0;
  std::uint64_t waiting_shown_ = ~std::uint64_t{0}, busy_shown_ = waiting_shown_;
  ticks counted_ = 0;  // the counters are of then
  unsigned phase_ = 0;
  ticks phase_begun_ = 0;
  std::string_view last_line_;
  char separator_ = '[';
  trace_file out_;
};

}  // namespace

std::unique_ptr<trace_writer> make_perfetto_trace(const scenario& what, const trace_request& trace) {
  return std::make_unique<perfetto_trace>(what, trace);
}

}  // namespace muster
