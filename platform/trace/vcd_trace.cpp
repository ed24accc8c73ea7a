#include "platform/trace/vcd_trace.h"

#include <cctype>
#include <set>

#include <fmt/format.h>

#include "platform/model/class_table.h"

namespace muster {

namespace {

unsigned bits_for(std::uint64_t most) {
  unsigned bits = 1;
  while (most >>= 1) ++bits;
  return bits;
}

// The n'th code: printable characters, the fewest first.
std::string code_of(std::size_t n) {
  constexpr std::size_t characters = '~' - '!' + 1;
  std::string code;
  for (++n; n > 0; n /= characters) code += static_cast<char>('!' + --n % characters);
  return code;
}

/// Names that a wave viewer takes for identifiers, no two alike.
class identifiers {
 public:
  std::string operator()(std::string name) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127) c = '_';
    std::string unique = name;
    for (int n = 2; !taken_.insert(unique).second; ++n) unique = fmt::format("{}__{}", name, n);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

std::string timescale(int exponent) {
  constexpr const char* units[] = {"s", "ms", "us", "ns", "ps", "fs"};
  const int unit = (-exponent + 2) / 3;
  return fmt::format("1{} {}", std::string(static_cast<std::size_t>(exponent + 3 * unit), '0'), units[unit]);
}

}  // namespace

vcd_trace::vcd_trace(const scenario& what, const std::filesystem::path& path) : load_(what.classes.size()), out_(path) {
  out_ << "$version muster $end\n$timescale " << timescale(what.unit.resolution_exponent)
       << " $end\n$scope module cluster $end\n";
  phase_ = declare("phase", 8);
  declare_servers(what);
  declare_classes(what);
  out_ << "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
  for (signal& s : signals_) show(s);
  out_ << "$end\n";
  out_.flush();
}

vcd_trace::wire vcd_trace::declare(const std::string& name, unsigned bits, std::uint64_t value) {
  const auto which = static_cast<wire>(signals_.size());
  signals_.push_back({code_of(which), value, value});
  out_ << "$var wire " << std::uint64_t{bits} << ' ' << signals_.back().code << ' ' << name << " $end\n";
  return which;
}

vcd_trace::core_wires vcd_trace::declare_cores(const std::string& name, std::uint64_t cores) {
  const unsigned bits = bits_for(cores);
  out_ << "$scope module " << name << " $end\n";
  const core_wires wires{declare("idle", bits, cores), declare("overhead", bits), declare("running", bits)};
  out_ << "$upscope $end\n";
  return wires;
}

void vcd_trace::declare_servers(const scenario& what) {
  std::uint64_t servers = 0;
  for (const server_spec& s : what.servers) servers += s.count;
  apart_ = servers <= most_servers;
  identifiers name;
  out_ << "$scope module servers $end\n";
  for (const server_spec& s : what.servers) {
    first_.push_back(cores_.size());
    if (!apart_ || s.count == 1) {
      cores_.push_back(declare_cores(name(s.name), std::uint64_t{s.count} * s.cores));
      continue;
    }
    for (std::uint32_t n = 0; n < s.count; ++n)
      cores_.push_back(declare_cores(name(fmt::format("{}_{}", s.name, n)), s.cores));
  }
  out_ << "$upscope $end\n";
}

void vcd_trace::declare_classes(const scenario& what) {
  constexpr unsigned bits = 32;
  identifiers name;
  out_ << "$scope module jobs $end\n";
  for (const std::size_t at : by_descending_need(what)) {
    out_ << "$scope module " << name(what.classes[at].name) << " $end\n";
    jobs_.push_back({declare("waiting", bits), declare("in_service", bits)});
    out_ << "$upscope $end\n";
  }
  out_ << "$upscope $end\n";
}

void vcd_trace::set(wire which, std::uint64_t value) {
  signal& s = signals_[which];
  s.value = value;
  if (s.touched) return;
  s.touched = true;
  touched_.push_back(which);
}

void vcd_trace::show_jobs(class_id id) {
  set(jobs_[id].waiting, load_.waiting(id));
  set(jobs_[id].in_service, load_.in_service(id));
}

void vcd_trace::show(const signal& s) {
  char* to = out_.room(66);
  *to++ = 'b';
  for (unsigned bit = bits_for(s.value); bit-- > 0;) *to++ = static_cast<char>('0' + (s.value >> bit & 1));
  *to++ = ' ';
  out_.advance_to(to);
  out_ << s.code << '\n';
}

void vcd_trace::stamp(ticks now) {
  if (now == stamped_) return;
  out_ << '#' << now << '\n';
  stamped_ = now;
}

// What has changed at an instant is written when the next one comes, so that it shows once and as it remained.
void vcd_trace::advance(ticks now) {
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

void vcd_trace::job_arrives(ticks now, const job_extension& job) {
  advance(now);
  const auto id = static_cast<class_id>(job.descriptor.type);
  load_.job_arrives(id);
  show_jobs(id);
}

void vcd_trace::job_completes(ticks now, const job_extension& job) {
  advance(now);
  load_.job_leaves(job.type);
  show_jobs(job.type);
}

void vcd_trace::phase_begins(ticks now, unsigned begun) {
  advance(now);
  set(phase_, begun);
}

void vcd_trace::slice_begins(ticks now, const slice_view& slice) {
  advance(now);
  load_.slice_begins(slice);
  if (slice.holder) show_jobs(slice.holder->type);
  const core_wires& wires = wires_of(slice);
  take(wires.idle, slice.cores.length);
  add(slice.held.productive == now ? wires.running : wires.overhead, slice.cores.length);
}

void vcd_trace::slice_works(ticks now, const slice_view& slice) {
  advance(now);
  take(wires_of(slice).overhead, slice.cores.length);
  add(wires_of(slice).running, slice.cores.length);
}

void vcd_trace::slice_saves(ticks now, const slice_view& slice) {
  advance(now);
  take(wires_of(slice).running, slice.cores.length);
  add(wires_of(slice).overhead, slice.cores.length);
}

void vcd_trace::slice_ends(ticks now, const slice_view& slice) {
  advance(now);
  load_.slice_ends(slice);
  if (slice.holder) show_jobs(slice.holder->type);
  const core_wires& wires = wires_of(slice);
  const auto& [begun, productive, ceased] = slice.held;
  constexpr ticks never = core_ledger::tenure::never;
  take(productive != never && ceased == never ? wires.running : wires.overhead, slice.cores.length);
  add(wires.idle, slice.cores.length);
}

void vcd_trace::finish(ticks now, const cluster_view&, const std::vector<slice_view>&) {
  advance(now);
  advance(now + 1);
  stamp(now);
  out_.flush();
}

}  // namespace muster
