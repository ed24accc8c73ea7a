#include "platform/trace/job_trace.h"

#include <iterator>

#include "platform/metrics/csv_field.h"
#include "platform/model/class_table.h"

namespace muster {

job_trace::job_trace(const scenario& what, const std::filesystem::path& path)
    : unit_(what.unit), exact_(decimal_time::of_unit(what.unit.ticks)), out_(path) {
  for (const std::size_t at : by_descending_need(what)) classes_.push_back(csv_field(what.classes[at].name));
  out_ << "id,class,arrival,started,completed,size,response,waiting,interruptions,migrations,preemptions,outcome,"
          "utility\n";
}

// Where the unit holds no power of ten of ticks, the shortest number that reads back as the same.
char* job_trace::print(char* to, ticks t) const {
  return exact_ ? exact_->print(to, t) : fmt::format_to(to, "{}", unit_.to_units(t));
}

void job_trace::job_completes(ticks now, const job_extension& job) {
  const job_extension::slotted_progress* slots = job.slots.get();
  const bool started = job.begun;
  out_ << job.id << ',' << classes_[job.type] << ',';
  constexpr std::size_t numbers = 9;
  char* to = out_.room((numbers + 1) * (decimal_time::longest + 1));
  const auto comma = [&] { *to++ = ','; };
  to = print(to, job.arrival);
  comma();
  if (started) to = print(to, job.started);
  comma();
  to = print(to, now);
  comma();
  to = print(to, job.descriptor.size);
  comma();
  to = print(to, now - job.arrival);
  comma();
  if (started) to = print(to, job.started - job.arrival);
  for (const std::uint64_t count : {job.interruptions, job.migrations, job.preemptions}) {
    comma();
    const fmt::format_int digits(count);
    std::memcpy(to, digits.data(), digits.size());
    to += digits.size();
  }
  to = std::strcpy(to, slots && slots->expired ? ",expired," : ",completed,");
  to += std::strlen(to);
  if (slots) to = fmt::format_to(to, "{}", static_cast<double>(slots->earned));
  *to++ = '\n';
  out_.advance_to(to);
}

void job_trace::finish(ticks, const cluster_view&, const std::vector<slice_view>&) { out_.flush(); }

}  // namespace muster
