#include "platform/trace/perfetto_trace.h"

#include <algorithm>

#include <boost/range/iterator_range.hpp>
#include <nlohmann/json.hpp>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"

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

}  // namespace

perfetto_trace::perfetto_trace(const scenario& what, const std::filesystem::path& path)
    : microseconds_(-6 - what.unit.resolution_exponent), load_(what.classes.size()), out_(path) {
  for (const std::size_t at : by_descending_need(what)) classes_.push_back(label_of(what.classes[at].name, at));
  out_ << '[';
  name_process(cluster_process, "cluster");
  out_ << ',';
  name_thread(cluster_process, phase_thread, "phases");
  name_servers(what);
  name_edges(what);
  out_.flush();
}

void perfetto_trace::name_process(std::uint64_t process, const std::string& name) {
  out_ << R"({"ph":"M","pid":)" << process << R"(,"name":"process_name","args":{"name":")" << escaped(name)
       << "\"}}\n,{\"ph\":\"M\",\"pid\":" << process << R"(,"name":"process_sort_index","args":{"sort_index":)"
       << process << "}}\n";
}

void perfetto_trace::name_thread(std::uint64_t process, std::uint64_t thread, const std::string& name) {
  out_ << R"({"ph":"M","pid":)" << process << R"(,"tid":)" << thread << R"(,"name":"thread_name","args":{"name":")"
       << name << "\"}}\n,{\"ph\":\"M\",\"pid\":" << process << R"(,"tid":)" << thread
       << R"(,"name":"thread_sort_index","args":{"sort_index":)" << thread << "}}\n";
}

void perfetto_trace::name_servers(const scenario& what) {
  std::uint64_t thread = first_thread;
  for (std::size_t bank = 0; bank < what.servers.size(); ++bank) {
    const server_spec& s = what.servers[bank];
    first_core_.push_back(cores_.size());
    out_ << ',';
    name_process(first_bank + bank, s.name);
    for (std::uint32_t server = 0; server < s.count; ++server)
      for (std::uint32_t core = 0; core < s.cores; ++core) {
        out_ << ',';
        name_thread(first_bank + bank, thread,
                    s.count == 1 ? fmt::format("core {}", core) : fmt::format("server {} core {}", server, core));
        beginning& b = cores_.emplace_back();
        const auto written = fmt::format_to_n(b.text, sizeof b.text, R"({}"pid":{},"tid":{},"ts":)", of_slice,
                                              first_bank + bank, thread++);
        b.length = static_cast<unsigned char>(written.size);
      }
  }
}

void perfetto_trace::name_edges(const scenario& what) {
  if (!what.network.takes_time()) return;
  const network_graph graph = make_network_graph(what);
  network_process_ = first_bank + what.servers.size();
  first_edge_ = first_thread + cores_.size();
  bool named = false;
  for (const auto e : boost::make_iterator_range(edges(graph))) {
    if (graph[e].ticks_per_byte == 0.0) continue;
    if (!named) out_ << ',';
    if (!named) name_process(network_process_, "network");
    named = true;
    const std::size_t from = source(e, graph), to = target(e, graph);
    for (const auto& [begin, end] : {std::pair{from, to}, std::pair{to, from}}) {
      out_ << ',';
      name_thread(network_process_, first_edge_ + arc_of(graph[e], begin, end),
                  escaped(graph[begin].name + " to " + graph[end].name));
    }
  }
}

void perfetto_trace::edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) {
  if (begins == ends) return;
  text_cursor to{out_.room(room_for_line)};
  to << R"(,{"ph":"X","pid":)" << network_process_ << R"(,"tid":)" << first_edge_ + arc << R"(,"ts":)";
  print(to, begins);
  to << R"(,"dur":)";
  print(to, ends - begins);
  to << R"(,"name":")" << bytes << " bytes\"}\n";
  out_.advance_to(to.at);
}

void perfetto_trace::job_arrives(ticks now, const job_extension& job) {
  bring_counters_to(now);
  load_.job_arrives(static_cast<class_id>(job.descriptor.type));
}

void perfetto_trace::job_completes(ticks now, const job_extension& job) {
  bring_counters_to(now);
  load_.job_leaves(job.type);
  print_job(now, job, job.slots && job.slots->expired ? "expired" : "");
}

// The viewer puts asynchronous slices of the same name together: they are named after the class alone.
void perfetto_trace::print_job(ticks now, const job_extension& job, std::string_view outcome) {
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

void perfetto_trace::phase_begins(ticks now, unsigned begun) {
  print_phase(now);
  phase_ = begun;
  phase_begun_ = now;
}

void perfetto_trace::print_phase(ticks now) {
  if (phase_ == 0 || now == phase_begun_) return;
  text_cursor to{out_.room(room_for_line)};
  to << R"(,{"ph":"X","pid":1,"tid":1,"ts":)";
  print(to, phase_begun_);
  to << R"(,"dur":)";
  print(to, now - phase_begun_);
  to << R"(,"name":"phase )" << std::uint64_t{phase_} << "\"}\n";
  out_.advance_to(to.at);
}

void perfetto_trace::slice_begins(ticks now, const slice_view& slice) {
  bring_counters_to(now);
  load_.slice_begins(slice);
  busy_cores_ += slice.cores.length;
  if (slice.start == slice_start::migrated) print_instant(now, slice, "migration");
}

void perfetto_trace::slice_saves(ticks now, const slice_view& slice) { print_why(now, slice); }

void perfetto_trace::slice_ends(ticks now, const slice_view& slice) {
  bring_counters_to(now);
  load_.slice_ends(slice);
  busy_cores_ -= slice.cores.length;
  const bool saved = slice.held.ceased != core_ledger::tenure::never;
  if (!saved || slice.why == slice_extension::end::failed) print_why(now, slice);
  print_slice(now, slice);
}

// A job that is leaving loses its cores for the reason why it leaves.
void perfetto_trace::print_why(ticks now, const slice_view& slice) {
  if (slice.why == slice_extension::end::interrupted)
    print_instant(now, slice, "interruption");
  else if (slice.why == slice_extension::end::failed)
    print_instant(now, slice, "failure");
  else if (slice.why == slice_extension::end::stopped && slice.holder &&
           (slice.holder->where != job::place::leaving || slice.holder->reason != leaves_for::failure))
    print_instant(now, slice, "preemption");
}

void perfetto_trace::print_instant(ticks now, const slice_view& slice, std::string_view name) {
  const beginning& b = core_of(slice, slice.cores.first);
  text_cursor to{out_.room(room_for_line)};
  to << R"(,{"ph":"i","s":"t",)" << std::string_view(b.text, b.length).substr(of_slice.size());
  print(to, now);
  to << R"(,"name":")" << name << R"(","args":{"job":)" << slice.job << "}}\n";
  out_.advance_to(to.at);
}

void perfetto_trace::print_slice(ticks now, const slice_view& slice) {
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
void perfetto_trace::print_on_cores(const slice_view& slice, ticks from, ticks to, std::string_view name) {
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

// Once for an instant, when the next one comes.
void perfetto_trace::bring_counters_to(ticks now) {
  if (now == counted_) return;
  print_counter("waiting", load_.waiting(), waiting_shown_);
  print_counter("busy", busy_cores_, busy_shown_);
  counted_ = now;
}

template <std::size_t Size>
void perfetto_trace::print_counter(const char (&name)[Size], std::uint64_t value, std::uint64_t& shown) {
  if (value == shown) return;
  shown = value;
  text_cursor to{out_.room(room_for_line)};
  to << R"(,{"ph":"C","pid":1,"ts":)";
  print(to, counted_);
  to << R"(,"name":")" << name << R"(","args":{"n":)" << value << "}}\n";
  out_.advance_to(to.at);
}

void perfetto_trace::finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) {
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
  out_ << last_line;
  out_.flush();
}

}  // namespace muster
