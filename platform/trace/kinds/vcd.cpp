#include <cctype>
#include <set>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/resource_places.h"
#include "platform/model/scenario.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

unsigned bits_for(std::uint64_t most) {
  unsigned bits = 1;
  while (most >>= 1) ++bits;
  return bits;
}

// The n-th code of printable characters, shortest codes first.
std::string code_of(std::size_t n) {
  constexpr std::size_t characters = '~' - '!' + 1;
  std::string code;
  for (++n; n > 0; n /= characters) code += static_cast<char>('!' + --n % characters);
  return code;
}

// A name that a wave viewer takes for an identifier, different from all that are taken.
std::string identifier(std::string name, std::set<std::string>& taken) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127) c = '_';
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}__{}", name, n);
  return unique;
}

std::string timescale(int exponent) {
  constexpr const char* units[] = {"s", "ms", "us", "ns", "ps", "fs"};
  const int unit = (-exponent + 2) / 3;
  return fmt::format("1{} {}", std::string(static_cast<std::size_t>(exponent + 3 * unit), '0'), units[unit]);
}

/// Writes trace.vcd, a value change dump (IEEE 1364-2005, clause 18), which GTKWave opens. One tick of the scenario's
/// resolution is the dump's unit of time.
///
/// cluster.servers.NAME_N (NAME where it is one server, or where there are more than `most_servers`) has the numbers of
/// idle, overhead and running cores; cluster.jobs.CLASS has the numbers of waiting jobs and jobs in service;
/// cluster.phase is the policy's phase. Where resources beside cores are declared, each of these servers has for each
/// amount what is held of it, for each device how many of its parts are (1 or 0 where a device is held whole), and
/// cluster.resources has the same for the devices and amounts of the cluster. Servers that are shown together have for
/// each resource what is held of it, of devices in parts.
///
/// SystemC's own sc_trace cannot be used: it samples between delta cycles of the kernel, while timers run in local time
/// and the kernel's stands still; and it looks at every signal each time, where only changes are written here.
class vcd_writer final : public instrument {
 public:
  static constexpr std::uint32_t most_servers = 256;

  vcd_writer(const scenario& model, const std::filesystem::path& path) : load_(model.classes.size()), out_(path) {
    out_ << "$version muster $end\n$timescale " << timescale(model.unit.resolution_exponent) << " $end\n";
    scope("cluster", [&] {
      phase_ = declare("phase", 8);
      scope("servers", [&] { declare_servers(model); });
      scope("jobs", [&] { declare_classes(model); });
      declare_cluster(model);
    });
    out_ << "$enddefinitions $end\n#0\n$dumpvars\n";
    for (signal& s : signals_) show(s);
    out_ << "$end\n";
    out_.flush();
  }

  void job_arrives(ticks now, const job_extension& job) override {
    advance(now);
    const auto id = job.declared_class();
    load_.job_arrives(id);
    show_jobs(id);
  }

  void job_completes(ticks now, const job_extension& job) override {
    advance(now);
    load_.job_leaves(job.declared_class());
    show_jobs(job.declared_class());
  }

  void phase_begins(ticks now, unsigned begun) override {
    advance(now);
    set(phase_, begun);
  }

  void slice_begins(ticks now, const slice_view& slice) override {
    advance(now);
    if (load_.slice_begins(slice)) hold_of_cluster(*slice.holder, true);
    if (slice.holder) show_jobs(slice.holder->declared_class());
    if (slice.resources) hold(slice, true);
    const core_wires& wires = wires_of(slice);
    move(slice, wires.idle, slice.held.productive == now ? wires.running : wires.overhead);
  }

  void slice_works(ticks now, const slice_view& slice) override {
    advance(now);
    move(slice, wires_of(slice).overhead, wires_of(slice).running);
  }

  void slice_saves(ticks now, const slice_view& slice) override {
    advance(now);
    move(slice, wires_of(slice).running, wires_of(slice).overhead);
  }

  void slice_ends(ticks now, const slice_view& slice) override {
    advance(now);
    if (load_.slice_ends(slice)) hold_of_cluster(*slice.holder, false);
    if (slice.holder) show_jobs(slice.holder->declared_class());
    if (slice.resources) hold(slice, false);
    const core_wires& wires = wires_of(slice);
    const auto& [begun, productive, ceased] = slice.held;
    constexpr ticks never = core_ledger::tenure::never;
    move(slice, productive != never && ceased == never ? wires.running : wires.overhead, wires.idle);
  }

  void simulation_ends(ticks now, const cluster_view&, const std::vector<slice_view>&) override {
    advance(now);
    advance(now + 1);
    stamp(now);
    out_.flush();
  }

 private:
  using wire = std::uint32_t;
  struct signal {
    std::string code;  // the signal's name in the dump
    std::uint64_t value = 0, shown = 0;
    bool touched = false;
  };
  struct core_wires {
    wire idle = 0, overhead = 0, running = 0;
  };
  /// A wire for what is held in each place of a server behind its cores.
  using place_wires = std::vector<wire>;
  struct job_wires {
    wire waiting = 0, in_service = 0;
  };

  wire declare(const std::string& name, unsigned bits, std::uint64_t value = 0) {
    const auto which = static_cast<wire>(signals_.size());
    signals_.push_back({code_of(which), value, value});
    out_ << "$var wire " << std::uint64_t{bits} << ' ' << signals_.back().code << ' ' << name << " $end\n";
    return which;
  }

  template <class Contents>
  void scope(const std::string& name, const Contents& contents) {
    out_ << "$scope module " << name << " $end\n";
    contents();
    out_ << "$upscope $end\n";
  }

  // Declares the wires of servers that are shown together, or of one.
  void declare_server(const scenario& model, const std::string& name, const server_spec& s, std::uint64_t servers) {
    const std::vector<resource_place> places = places_of_server(model, s);
    const std::uint64_t cores = servers * s.cores;
    const unsigned bits = bits_for(cores);
    scope(name, [&] {
      cores_.push_back({declare("idle", bits, cores), declare("overhead", bits), declare("running", bits)});
      std::set<std::string> taken{"idle", "overhead", "running"};
      if (apart_ || servers == 1)
        declare_places(places, taken);
      else
        declare_resources(model, places, servers, taken);
    });
  }

  void declare_places(const std::vector<resource_place>& places, std::set<std::string>& taken) {
    place_wires& wires = held_.emplace_back();
    for (const resource_place& place : places)
      wires.push_back(declare(identifier(place.name, taken), bits_for(place.all)));
  }

  // Declares a wire for each resource, all its places of all servers together.
  void declare_resources(const scenario& model, const std::vector<resource_place>& places, std::uint64_t servers,
                         std::set<std::string>& taken) {
    place_wires& wires = held_.emplace_back();
    for (std::size_t first = 0, behind = 0; first < places.size(); first = behind) {
      std::uint64_t all = 0;
      for (; behind < places.size() && places[behind].resource == places[first].resource; ++behind)
        all += places[behind].all;
      const std::string& name = model.resources.types[places[first].resource].name;
      wires.resize(behind, declare(identifier(name, taken), bits_for(all * servers)));
    }
  }

  // Declares the devices and amounts of the cluster.
  void declare_cluster(const scenario& model) {
    const std::vector<resource_place> places = places_of_cluster(model);
    if (places.empty()) return;
    std::set<std::string> taken;
    scope("resources", [&] {
      for (const resource_place& place : places)
        of_cluster_.push_back(declare(identifier(place.name, taken), bits_for(place.all)));
    });
  }

  void declare_servers(const scenario& model) {
    apart_ = total_servers(model) <= most_servers;
    std::set<std::string> taken;
    for (const server_spec& s : model.servers) {
      first_.push_back(cores_.size());
      if (!apart_ || s.count == 1)
        declare_server(model, identifier(s.name, taken), s, s.count);
      else
        for (std::uint32_t n = 0; n < s.count; ++n)
          declare_server(model, identifier(fmt::format("{}_{}", s.name, n), taken), s, 1);
    }
  }

  void declare_classes(const scenario& model) {
    constexpr unsigned bits = 32;
    std::set<std::string> taken;
    for (const std::size_t at : by_descending_need(model))
      scope(identifier(model.classes[at].name, taken), [&] {
        jobs_.push_back({declare("waiting", bits), declare("in_service", bits)});
      });
  }

  void set(wire which, std::uint64_t value) {
    signal& s = signals_[which];
    s.value = value;
    if (s.touched) return;
    s.touched = true;
    touched_.push_back(which);
  }

  void show_jobs(class_id id) {
    set(jobs_[id].waiting, load_.waiting(id));
    set(jobs_[id].in_service, load_.in_service(id));
  }

  void show(const signal& s) {
    constexpr std::size_t longest = 64 + 5 + 3;  // a value, a code of one of 2^32 signals, and the rest
    text_cursor to{out_.room(longest)};
    to << 'b';
    for (unsigned bit = bits_for(s.value); bit-- > 0;) to << static_cast<char>('0' + (s.value >> bit & 1));
    to << ' ' << s.code << '\n';
    out_.advance_to(to.at);
  }

  void stamp(ticks now) {
    if (now == stamped_) return;
    out_ << '#' << now << '\n';
    stamped_ = now;
  }

  // Writes the changes of an instant when the next one comes, so that each signal shows once, with its last value.
  void advance(ticks now) {
    if (now == now_) return;
    for (const wire which : touched_) {
      signal& s = signals_[which];
      s.touched = false;
      if (s.value == s.shown) continue;
      stamp(now_);
      show(s);
      s.shown = s.value;
    }
    touched_.clear();
    now_ = now;
  }

  // The place of the slice's server among those that are shown.
  std::size_t shown_server(const slice_view& slice) const { return first_[slice.bank] + (apart_ ? slice.server : 0); }
  const core_wires& wires_of(const slice_view& slice) const { return cores_[shown_server(slice)]; }
  // Shows that a slice holds what it has beside its cores, or holds it no longer.
  void hold(const slice_view& slice, bool begins) {
    const place_wires& wires = held_[shown_server(slice)];
    for (std::size_t n = 0; n < wires.size(); ++n) add(wires[n], slice.resources[n], begins);
  }
  // Shows that a job holds what it has of the cluster, or holds it no longer.
  void hold_of_cluster(const job_extension& job, bool begins) {
    const cluster_holding* const part = job.own.of_cluster.get();
    for (std::size_t n = 0; part && n < part->held.size(); ++n) add(of_cluster_[n], part->held[n], begins);
  }
  void add(wire to, std::uint64_t amount, bool begins) {
    if (amount > 0) set(to, begins ? signals_[to].value + amount : signals_[to].value - amount);
  }
  // Shows the slice's cores by another wire from now on.
  void move(const slice_view& slice, wire from, wire to) {
    set(from, signals_[from].value - slice.cores.length);
    set(to, signals_[to].value + slice.cores.length);
  }

  std::vector<signal> signals_;
  std::vector<wire> touched_;
  bool apart_ = true;               // whether each server has wires of its own
  std::vector<std::size_t> first_;  // place of the first wires in cores_, by bank
  std::vector<core_wires> cores_;
  std::vector<place_wires> held_;  // by shown server
  std::vector<wire> of_cluster_;   // of places_of_cluster()
  table<class_id, job_wires> jobs_;
  wire phase_ = 0;
  occupancy load_;
  ticks now_ = 0;
  ticks stamped_ = 0;  // the time that the dump has reached
  trace_file out_;
};

}  // namespace

extern const trace_kind vcd_trace{"vcd", "trace", ".vcd",
                                  "waves of idle, overhead and running cores and of queue lengths, for gtkwave",
                                  add_writer<vcd_writer>};

}  // namespace muster
