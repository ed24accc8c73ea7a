#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

#include <boost/range/iterator_range.hpp>

#include "muster/modules/network/routes.h"
#include "platform/model/network_topology.h"
#include "platform/model/scenario.h"
#include "platform/trace/occupancy.h"
#include "platform/trace/perfetto_file.h"
#include "platform/trace/perfetto_names.h"
#include "platform/trace/resource_tracks.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"

namespace muster {

namespace {

using namespace perfetto_names;
using kind = track_event::kind;

constexpr std::uint64_t cluster_process = 1, first_bank = 2;

/// Writes trace.pftrace in Perfetto's own format, a stream of TracePacket protobufs, which ui.perfetto.dev opens. Times
/// are whole nanoseconds since the start: exact where the scenario resolves nanoseconds, else rounded down.
///
/// - Process 1 is the cluster: a track with the policy's phases, counters of jobs waiting and of busy cores, and the
///   jobs from arrival to departure. Jobs that overlap need tracks of their own: each class has a set of like-named
///   ones, which the viewer shows as one. A job takes over the track of one that has departed before it arrived, so
///   that there are about as many as jobs were present at once, and not as many as jobs.
/// - Each entry of platform.servers is a process, each of its cores a thread. A slice is named after class and job; its
///   overhead and the saving of its state are slices within. Interruptions, migrations, preemptions and failures are
///   instants on the slice's first core.
/// - Where resources beside cores are declared, each device of a server is a thread of the entry's process, with the
///   jobs that hold it as on cores, see resource_tracks. What is held of each amount is a counter. Each device of the
///   cluster is a thread of the cluster's process, with each job that holds it from its first to its last slice.
/// - Where the network has edges of finite bandwidth, it is a process, and each way of such an edge a thread. A message
///   is a slice while it occupies the edge, told apart by its bytes; those that queue at the end of the run are there.
/// - Arrows lead from a job's arrival over its slices, as they begin, to its departure: the flow with the job's number.
///
/// The packets of one track are in the file in order of time, a slice's begin before all that is within and its end
/// behind; those of a flow that are of the same instant are in the flow's order. As readers sort packets by time and
/// leave those of the same time in the order of the file, both hold for what lasts no time, too. Rounding keeps the
/// order.
class perfetto_writer final : public instrument {
 public:
  perfetto_writer(const scenario& model, const std::filesystem::path& path)
      : classes_(labels_of(model)),
        job_tracks_(model.classes.size()),
        load_(model.classes.size()),
        out_(path, names_with(classes_), {std::begin(annotation_names), std::end(annotation_names)}) {
    for (int exponent = model.unit.resolution_exponent; exponent < -9; ++exponent) ticks_in_nanosecond_ *= 10;
    const track network = first_bank + model.servers.size();
    next_track_ = network + 1;
    out_.describe_process(cluster_process, "cluster");
    out_.describe(phases_ = next_track_++, cluster_process, "phases");
    out_.describe(waiting_ = next_track_++, cluster_process, "waiting", true);
    out_.describe(busy_ = next_track_++, cluster_process, "busy", true);
    resources_.describe_cluster(model, cluster_process, out_, next_track_);
    describe_servers(model);
    describe_edges(model, network);
    out_.flush();
  }

  void job_arrives(ticks now, const job_extension& job) override {
    bring_counters_to(now);
    load_.job_arrives(job.declared_class());
  }

  void job_completes(ticks now, const job_extension& job) override {
    bring_counters_to(now);
    load_.job_leaves(job.declared_class());
    const bool complete = !job.slots || !job.slots->expired;
    job_track& on = track_of(job);
    out_.put(track_event(at(now), kind::instant).name(complete ? completed : expired).last_of_flow(job.id), on.number);
    end_job(now, job, on, event_names[(complete ? completed : expired) - 1]);
  }

  void phase_begins(ticks now, unsigned begun) override {
    put_phase(now);
    phase_ = begun;
    phase_begun_ = now;
  }

  void slice_begins(ticks now, const slice_view& slice) override {
    bring_counters_to(now);
    const bool job_begins = load_.slice_begins(slice);
    busy_cores_ += slice.cores.length;
    if (resources_.any()) {
      if (job_begins) resources_.job_begins(*slice.holder, out_, next_track_);
      resources_.slice_begins(slice, out_, next_track_);
    }
    if (slice.start == slice_start::migrated) put_instant(now, slice, migration);
    const std::string_view label = slice.holder ? std::string_view{label_of(slice.holder->declared_class())} : "job";
    char text[track_event::longest_name];
    text_cursor to{text};
    to << label << ' ' << slice.job;
    const std::string_view name = to.text_from(text);
    track_event begin(at(now), kind::slice_begin);
    if (slice.cores.length == 1) {
      begin.name(name);
    } else {  // the name is in the file once
      const std::uint64_t number = first_class + classes_.size() + slice.job;
      out_.write_name(number, name);
      begin.name(number);
    }
    if (slice.holder) {
      track_of(*slice.holder);
      begin.flow(slice.job);
    }
    put_on_devices(begin, slice);
    if (job_begins) put_on_cluster(begin, *slice.holder);
    if (slice.held.productive == core_ledger::tenure::never)
      put_on_devices(track_event(at(now), kind::slice_begin).name(overhead), slice);
  }

  void slice_works(ticks now, const slice_view& slice) override { put_end(now, slice); }

  // A slice that has not worked remains in overhead.
  void slice_saves(ticks now, const slice_view& slice) override {
    put_reason(now, slice);
    if (slice.held.productive != core_ledger::tenure::never)
      put_on_devices(track_event(at(now), kind::slice_begin).name(saving), slice);
  }

  void slice_ends(ticks now, const slice_view& slice) override {
    bring_counters_to(now);
    const bool job_ends = load_.slice_ends(slice);
    busy_cores_ -= slice.cores.length;
    const bool saves = slice.held.ceased != core_ledger::tenure::never;
    if (!saves || slice.why == slice_extension::end::failed) put_reason(now, slice);
    if (saves || slice.held.productive == core_ledger::tenure::never) put_end(now, slice);
    put_end(now, slice);
    if (!resources_.any()) return;
    if (job_ends) {
      put_on_cluster(track_event(at(now), kind::slice_end), *slice.holder);
      resources_.job_ends(*slice.holder);
    }
    resources_.slice_ends(slice);
  }

  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override {
    if (begins == ends) return;
    char text[track_event::longest_name];
    text_cursor to{text};
    to << bytes << " bytes";
    out_.put(track_event(head_at(begins), kind::slice_begin).name(to.text_from(text)), first_edge_ + arc);
    out_.put(track_event(head_at(ends), kind::slice_end), first_edge_ + arc);
  }

  void simulation_ends(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) override {
    bring_counters_to(now);
    bring_counters_to(now + 1);
    put_phase(now);
    for (const slice_view& slice : slices) {
      const auto& [begun, productive, ceased] = slice.held;
      if (ceased != core_ledger::tenure::never || productive == core_ledger::tenure::never) put_end(now, slice);
      put_end(now, slice);
      if (load_.slice_ends(slice)) put_on_cluster(track_event(at(now), kind::slice_end), *slice.holder);
    }
    const auto end_all = [&](const job* j) {
      for (; j; j = j->behind) end_job(now, extension_of(*j), track_of(extension_of(*j)), "in the system at the end");
    };
    for (const class_id id : jobs.classes()) {
      end_all(jobs.first(id));
      end_all(jobs.running(id));
    }
    // Jobs whose answers are on the way to their source end as well.
    std::map<std::uint64_t, track> rest;
    for (const auto& of_class : job_tracks_)
      for (const auto& [place, on] : of_class)
        if (on.job) rest.emplace(*on.job, on.number);
    for (const auto& [job, on] : rest) out_.put(track_event(at(now), kind::slice_end), on);
    out_.flush();
  }

 private:
  using track = perfetto_file::track;

  /// A track of jobs of one class, one after the other.
  struct job_track {
    track number = 0;
    std::optional<std::uint64_t> job = {};  ///< job that is there now
  };

  void describe_servers(const scenario& model) {
    for (std::size_t bank = 0; bank < model.servers.size(); ++bank) {
      const server_spec& s = model.servers[bank];
      first_core_.push_back(next_track_);
      out_.describe_process(first_bank + bank, s.name);
      for (std::uint32_t server = 0; server < s.count; ++server)
        for (std::uint32_t core = 0; core < s.cores; ++core)
          out_.describe_thread(
              next_track_++, first_bank + bank,
              s.count == 1 ? fmt::format("core {}", core) : fmt::format("server {} core {}", server, core));
      resources_.describe_servers(model, s, first_bank + bank, out_, next_track_);
    }
  }

  void describe_edges(const scenario& model, track process) {
    if (!has_network(model)) return;
    const network_graph graph = make_network_graph(model);
    first_edge_ = next_track_;
    next_track_ += 2 * num_edges(graph);
    bool named = false;
    for (const auto e : boost::make_iterator_range(edges(graph))) {
      if (graph[e].ticks_per_byte == 0.0) continue;
      if (!named) out_.describe_process(process, "network");
      named = true;
      const std::size_t from = source(e, graph), to = target(e, graph);
      for (const auto& [begin, end] : {std::pair{from, to}, std::pair{to, from}})
        out_.describe_thread(first_edge_ + arc_of(graph[e], begin, end), process,
                             graph[begin].name + " to " + graph[end].name);
    }
  }

  const std::string& label_of(class_id id) const { return classes_[static_cast<std::size_t>(id)]; }

  packet_head head_at(ticks t) const { return packet_head(t / ticks_in_nanosecond_); }
  // The head of a packet of the present instant, kept as an instant may have many events.
  const packet_head& at(ticks now) {
    if (now != head_of_) head_ = head_at(now);
    head_of_ = now;
    return head_;
  }

  // Puts an event on the slice's cores, and on the other devices that it holds.
  void put_on_devices(const track_event& event, const slice_view& slice) {
    const track first = first_core_[slice.bank];
    slice.for_each_core([&](std::uint32_t core) { out_.put(event, first + core); });
    if (resources_.any()) resources_.for_each_device(slice, [&](track device) { out_.put(event, device); });
  }

  // Puts an event on the devices of the cluster that a job holds.
  void put_on_cluster(const track_event& event, const job_extension& job) {
    if (resources_.any()) resources_.for_each_device(job, [&](track device) { out_.put(event, device); });
  }

  // Shows the reason why a job loses its cores, which for a job that is leaving is that of leaving.
  void put_reason(ticks now, const slice_view& slice) {
    if (slice.why == slice_extension::end::interrupted)
      put_instant(now, slice, interruption);
    else if (slice.why == slice_extension::end::failed)
      put_instant(now, slice, failure);
    else if (slice.why == slice_extension::end::stopped && slice.holder &&
             (slice.holder->where != job::place::leaving || slice.holder->own.reason != leaves_for::failure))
      put_instant(now, slice, preemption);
  }

  void put_instant(ticks now, const slice_view& slice, std::uint64_t name) {
    out_.put(track_event(at(now), kind::instant).name(name).annotation(of_job, slice.job),
             first_core_[slice.bank] + slice.cores.first);
  }

  void put_end(ticks now, const slice_view& slice) { put_on_devices(track_event(at(now), kind::slice_end), slice); }

  void put_phase(ticks now) {
    if (phase_ == 0 || now == phase_begun_) return;
    out_.put(track_event(head_at(phase_begun_), kind::slice_begin).name(fmt::format("phase {}", phase_)), phases_);
    out_.put(track_event(at(now), kind::slice_end), phases_);
  }

  void put_counter(std::uint64_t value, std::uint64_t& shown, track on) {
    if (value == shown) return;
    shown = value;
    out_.put(track_event(at(counted_), kind::counter).value(value), on);
  }

  // Writes the counters of an instant once, when the next one comes.
  void bring_counters_to(ticks now) {
    if (now == counted_) return;
    put_counter(load_.waiting(), waiting_shown_, waiting_);
    put_counter(busy_cores_, busy_shown_, busy_);
    if (resources_.any()) resources_.put_counters(at(counted_), out_);
    counted_ = now;
  }

  // The track of a job, on which its slice begins when the track is first needed. A job has its number when it has
  // arrived at the scheduler: its first event after that is a slice, or its end.
  job_track& track_of(const job_extension& job) {
    job_track& on = job_tracks_[job.declared_class()][&job];
    if (on.job == job.id) return on;
    if (on.number == 0) out_.describe(on.number = next_track_++, cluster_process, label_of(job.declared_class()));
    on.job = job.id;
    out_.put(track_event(job.arrival == head_of_ ? head_ : head_at(job.arrival), kind::slice_begin)
                 .name(first_class + static_cast<std::uint64_t>(job.declared_class()))
                 .flow(job.id)
                 .annotation(of_job, job.id),
             on.number);
    return on;
  }

  void end_job(ticks now, const job_extension& job, job_track& on, std::string_view outcome) {
    track_event end(at(now), kind::slice_end);
    if (outcome != event_names[completed - 1] || job.interruptions + job.migrations > 0)
      end.annotation(of_outcome, outcome)
          .annotation(of_interruptions, job.interruptions)
          .annotation(of_migrations, job.migrations);
    out_.put(end, on.number);
    on.job.reset();
  }

  ticks ticks_in_nanosecond_ = 1;
  packet_head head_{0};  // head of packets of the instant `head_of_`
  ticks head_of_ = 0;
  std::vector<std::string> classes_;  // names of the classes in the trace, by id
  std::vector<track> first_core_;     // track of the first core of each bank; the others follow
  track phases_ = 0, waiting_ = 0, busy_ = 0, first_edge_ = 0, next_track_ = 0;
  // Tracks by the address of a job, which another job takes only after its departure.
  table<class_id, std::unordered_map<const job_extension*, job_track>> job_tracks_;
  occupancy load_;
  resource_tracks resources_;
  std::uint64_t busy_cores_ = 0;
  std::uint64_t waiting_shown_ = ~std::uint64_t{0}, busy_shown_ = waiting_shown_;
  ticks counted_ = 0;  // the instant of the counters
  unsigned phase_ = 0;
  ticks phase_begun_ = 0;
  perfetto_file out_;
};

}  // namespace

extern const trace_kind perfetto_trace{
    "perfetto",
    "trace",
    ".pftrace",
    "cores, jobs, phases, interruptions and messages over time, for https://ui.perfetto.dev",
    add_writer<perfetto_writer>,
    true};

}  // namespace muster
