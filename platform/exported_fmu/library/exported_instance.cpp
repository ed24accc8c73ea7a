#include "platform/exported_fmu/library/exported_instance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muster {

namespace {

const char* in_words(exported_instance::mode m) {
  switch (m) {
    case exported_instance::mode::instantiated: return "its first state, instantiated";
    case exported_instance::mode::initialization: return "initialization mode";
    case exported_instance::mode::event: return "event mode";
    case exported_instance::mode::step: return "step mode";
    case exported_instance::mode::terminated: return "its last state, terminated";
  }
  return "";
}

// A number as messages show it, complete and short.
std::string number(double value) {
  char text[32];
  for (int digits = 6; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

}  // namespace

struct exported_instance::state {
  std::shared_ptr<cluster_process> process;
  cluster_process::snapshot where;
  mode in;
  double start;
  std::optional<double> stop;
};

exported_instance::exported_instance(std::string name, const importer_log& log, const cluster_start& what,
                                     bool event_mode, bool early_return)
    : name_(std::move(name)),
      log_(log),
      what_(what),
      event_mode_(event_mode),
      early_return_(early_return),
      process_(std::make_shared<cluster_process>(what)) {
  log_.tell(fmi3OK, events_category, "a process runs the cluster '" + process_->name() + "'");
}

exported_instance::~exported_instance() = default;

void exported_instance::expect(mode wanted) const {
  if (mode_ != wanted)
    throw illegal_call(std::string("expected an instance in ") + in_words(wanted) + "; this one is in " +
                       in_words(mode_));
}

void exported_instance::enter_initialization(double start, std::optional<double> stop) {
  expect(mode::instantiated);
  if (!std::isfinite(start)) throw illegal_call("startTime is " + number(start) + "; expected a number");
  if (stop && !(*stop > start)) throw illegal_call("stopTime is " + number(*stop) + "; expected more than startTime");
  start_ = start;
  stop_ = stop;
  mode_ = mode::initialization;
}

void exported_instance::exit_initialization() {
  expect(mode::initialization);
  mode_ = event_mode_ ? mode::event : mode::step;
}

void exported_instance::enter_event_mode() {
  expect(mode::step);
  if (!event_mode_) throw illegal_call("the instance was made with eventModeUsed = false");
  mode_ = mode::event;
}

void exported_instance::update_discrete_states() const { expect(mode::event); }

void exported_instance::enter_step_mode() {
  expect(mode::event);
  mode_ = mode::step;
}

void exported_instance::terminate() {
  if (mode_ != mode::event) expect(mode::step);
  mode_ = mode::terminated;
}

void exported_instance::reset() {
  process_ = std::make_shared<cluster_process>(what_);
  mode_ = mode::instantiated;
  start_ = 0.0;
  stop_.reset();
  log_.tell(fmi3OK, events_category, "a new process runs the cluster '" + process_->name() + "'");
}

const cluster_variable& exported_instance::variable(fmi3ValueReference reference) const {
  const auto& variables = process_->variables();
  if (reference == time_reference || place_of(reference) >= variables.size())
    throw illegal_call("no variable that can be asked for so has the reference " + std::to_string(reference));
  return variables[place_of(reference)];
}

double exported_instance::value(fmi3ValueReference reference, bool whole) {
  if (reference == time_reference && !whole) return seconds(process_->now());
  const cluster_variable& v = variable(reference);
  if (v.whole != whole) throw illegal_call("'" + v.name + "' is " + (v.whole ? "an Int64" : "a Float64"));
  return process_->value(place_of(reference));
}

void exported_instance::set(const std::vector<fmi3ValueReference>& references, const std::vector<double>& values,
                            bool whole) {
  if (mode_ == mode::terminated) expect(mode::step);
  for (std::size_t i = 0; i < references.size(); ++i) {
    const cluster_variable& v = variable(references[i]);
    if (v.use != cluster_variable::role::input) throw illegal_call("'" + v.name + "' is no input");
    if (v.whole != whole) throw illegal_call("'" + v.name + "' is " + (v.whole ? "an Int64" : "a Float64"));
    if (!is_left_to_policy(v) && !(values[i] >= v.least && values[i] <= v.most))
      throw discarded_call("'" + v.name + "' is set to " + number(values[i]) + "; expected " + number(v.least) +
                           " to " + number(v.most));
  }
  std::vector<double> before;
  for (const fmi3ValueReference r : references)
    if (references.size() > 1) before.push_back(process_->value(place_of(r)));
  for (std::size_t i = 0; i < references.size(); ++i) try {
      process_->set(place_of(references[i]), values[i]);
    } catch (const std::invalid_argument& refusal) {
      for (std::size_t set = i; set-- > 0;) process_->set(place_of(references[set]), before[set]);
      throw discarded_call("'" + variable(references[i]).name + "': " + refusal.what());
    }
}

double exported_instance::seconds(std::int64_t ticks) const {
  return static_cast<double>(static_cast<long double>(start_) +
                             static_cast<long double>(ticks) / static_cast<long double>(process_->ticks_per_second()));
}

// Steps add up without drift, as the end of each is rounded to ticks by itself.
std::int64_t exported_instance::ticks_at_end(double current, double step) const {
  const long double end = static_cast<long double>(current) + static_cast<long double>(step) - start_;
  const long double ticks = std::round(end * static_cast<long double>(process_->ticks_per_second()));
  if (!(ticks < 9.2e18L))
    throw illegal_call("the step ends at " + number(current + step) + " s; expected a time before " +
                       number(seconds(std::int64_t{9'200'000'000'000'000'000})) + " s, where the cluster's clock ends");
  return std::max(static_cast<std::int64_t>(ticks), process_->now());
}

void exported_instance::check_step(double current, double step) const {
  if (!std::isfinite(current)) throw illegal_call("currentCommunicationPoint is " + number(current));
  if (!std::isfinite(step) || step <= 0.0)
    throw illegal_call("communicationStepSize is " + number(step) + "; expected more than 0");
  // Importers that add up their steps are allowed what rounding does to the sum.
  const double rounding =
      1e-9 * std::max(std::abs(current), step) + 1.0 / static_cast<double>(process_->ticks_per_second());
  if (const double present = seconds(process_->now()); std::abs(current - present) > rounding)
    throw illegal_call("currentCommunicationPoint is " + number(current) + " s, but the instance is at " +
                       number(present) + " s");
  if (stop_ && current + step > *stop_ + rounding)
    throw illegal_call("the step ends at " + number(current + step) + " s, after stopTime, " + number(*stop_) + " s");
}

// The outputs that are whole numbers, which change at events. To ask for them makes their changes events of the
// process.
std::vector<double> exported_instance::counts() {
  std::vector<double> all;
  const auto& variables = process_->variables();
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (variables[v].whole && variables[v].use == cluster_variable::role::output) all.push_back(process_->value(v));
  return all;
}

exported_instance::step_end exported_instance::do_step(double current, double step) {
  expect(mode::step);
  check_step(current, step);
  const std::int64_t until = ticks_at_end(current, step);
  const std::vector<double> before = event_mode_ ? counts() : std::vector<double>{};
  step_end end;
  end.early = process_->advance(until, event_mode_ && early_return_);
  end.event = end.early || (event_mode_ && counts() != before);
  end.time = end.early ? seconds(process_->now()) : current + step;
  return end;
}

exported_instance::state* exported_instance::take_state() {
  states_.push_back(std::make_unique<state>(state{process_, process_->take_snapshot(), mode_, start_, stop_}));
  return states_.back().get();
}

void exported_instance::set_state(const state* where) {
  const auto found = std::find_if(states_.begin(), states_.end(), [&](const auto& s) { return s.get() == where; });
  if (found == states_.end()) throw illegal_call("the state is none of this instance");
  where->process->restore(where->where);
  process_ = where->process;
  mode_ = where->in;
  start_ = where->start;
  stop_ = where->stop;
}

void exported_instance::free_state(const state* where) {
  const auto found = std::find_if(states_.begin(), states_.end(), [&](const auto& s) { return s.get() == where; });
  if (found == states_.end()) throw illegal_call("the state is none of this instance");
  states_.erase(found);
}

}  // namespace muster
