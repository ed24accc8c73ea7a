#include <algorithm>
#include <cmath>

#include "muster/policies/algorithms/switching_chain.h"
#include "muster/policies/catalogue.h"

namespace muster {

/// Nonpreemptive Markovian Service Rate. Source: Chen, Grosof and Berg, "Improving multiresource job scheduling with
/// Markovian service rate policies" (2025), reference 28 of the Quickswap paper (its Sections 2.2 and 6.2).
///
/// A continuous-time Markov chain, which does not look at the queues, switches among candidate schedules. While it
/// visits schedule u, up to u_i jobs of each class i are in service: a place of u without a job to fill it stays free
/// for its class. When the chain moves from u to v, jobs in excess of v run to completion; jobs of v start as they fit,
/// those of large need first; no job starts for which v has no room.
///
/// Choices where the source is open, or which it leaves to the user:
/// - `timer = "from_completion"`: the chain has working states, and switching states from which only completions
///   lead on; the time in a working state runs from the end of the switch. `"from_request"`: it runs from the
///   beginning, and the next switch may begin before the last one is complete.
/// - A place of u without a job is free at once for v. In the source's analysis the switching states do not depend on
///   the queues either, as if each place had a job; both are the same while all queues are long.
/// - Without `rates` the schedules are visited in a cycle, the times in them being exponential, so long as is their
///   share in the linear program of largest_mix(), which without `schedules` chooses these too; the length of the cycle
///   is stated at cycle_of(). The loads must be declared, and mean sizes are those on capacity 1; for durations of
///   switches sizes are taken as exponential. This takes a hundredth of a second with the 26 classes of Borg cell B, on
///   2048 cores.
///
/// Phase n: schedule n, from the request to switch to it on.
class nmsr final : public rigid_policy {
 public:
  nmsr(switching_chain chain, visit_timer timer, random_numbers& random)
      : chain_(std::move(chain)), timer_(timer), random_(random) {}

  unsigned phases() const override { return static_cast<unsigned>(chain_.schedules.size()); }

 private:
  static unsigned jobs(const muster::schedule& of, class_id id) { return of[static_cast<std::size_t>(id)]; }
  const muster::schedule& current() const { return chain_.schedules[at_]; }

  void schedule_visit(rigid_view cluster, rigid_decisions& decide) {
    switching_ = false;
    const double rate = chain_.leaving(at_);
    if (rate == 0.0) return;  // there is only one schedule
    const double wait = std::round(random_.exponential(1.0 / rate) * static_cast<double>(cluster.ticks_per_unit()));
    if (wait < static_cast<double>(end_of_clock - cluster.now()))
      decide.wake_at(cluster.now() + std::max(ticks{1}, static_cast<ticks>(wait)), 0);
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (phase() == 0) {  // the first event of all
      begin_phase(1);
      schedule_visit(cluster, decide);
    }
    if (switching_ && timer_ == visit_timer::from_completion && switch_is_complete(cluster))
      schedule_visit(cluster, decide);
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
      while (cluster.waiting(id) && cluster.in_service(id) < jobs(current(), id) && cluster.fits(id))
        decide.start(*cluster.first(id));
  }

  // Called when the time in the current schedule is over.
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override {
    at_ = next_schedule();
    begin_phase(static_cast<unsigned>(at_) + 1);
    switching_ = true;
    if (timer_ == visit_timer::from_request) schedule_visit(cluster, decide);
    schedule(cluster, decide);
  }

  std::size_t next_schedule() {
    const std::vector<double>& rates = chain_.rates[at_];
    std::vector<std::size_t> possible;
    for (std::size_t b = 0; b < rates.size(); ++b)
      if (b != at_ && rates[b] > 0.0) possible.push_back(b);
    if (possible.size() == 1) return possible.front();
    double left = random_.uniform() * chain_.leaving(at_);
    for (const std::size_t b : possible)
      if ((left -= rates[b]) < 0.0) return b;
    return possible.back();
  }

  bool switch_is_complete(rigid_view cluster) const {
    const class_set& served = cluster.served_classes();
    for (class_id id = served.first(); id != class_set::none; id = served.next(id))
      if (cluster.in_service(id) > jobs(current(), id)) return false;
    return true;
  }

  switching_chain chain_;
  visit_timer timer_;
  random_numbers& random_;
  std::size_t at_ = 0;
  bool switching_ = false;
};

namespace {

using nmsr_objection = std::optional<setting_conflict>;

/// Rates and sizes of all classes; nothing where some class does not declare them.
std::optional<class_demands> declared_demands(const cluster_view& cluster) {
  class_demands all;
  for (const class_id id : cluster.classes()) {
    if (!cluster.arrival_rate(id) || !cluster.mean_size(id)) return std::nullopt;
    all.needs.push_back(cluster.need(id));
    all.mean_sizes.push_back(*cluster.mean_size(id));
    all.loads.push_back(*cluster.arrival_rate(id) * *cluster.mean_size(id));
  }
  return all;
}

visit_timer timer_of(const settings& given) {
  return given.choice("timer") == "from_request" ? visit_timer::from_request : visit_timer::from_completion;
}

schedule_mix mix_for(const settings& given, const class_demands& demands, unsigned cores) {
  return given.has("schedules") ? mix_of(given.schedules("schedules"), demands.loads)
                                : largest_mix(demands.needs, demands.loads, cores);
}

/// The chain as given or derived, to which check_nmsr() has no objection.
switching_chain chain_of(const cluster_view& cluster, const settings& given) {
  if (given.has("rates")) return {given.schedules("schedules"), given.matrix("rates")};
  const auto demands = declared_demands(cluster);
  std::optional<double> working;
  if (given.has("working_time")) working = given.number("working_time");
  return cycle_of(mix_for(given, *demands, cluster.all_cores()), *demands, timer_of(given), working);
}

// A number as text, cut and not rounded, so that a number below 1 does not look like 1.
std::string short_text(double number) {
  std::string text = std::to_string(number);
  return text.substr(0, text.find('.') + 4);
}

nmsr_objection to_given_rates(const cluster_view& cluster, const settings& given) {
  if (!given.has("schedules")) return setting_conflict{"rates", "found rates without schedules; expected both"};
  if (given.has("working_time"))
    return setting_conflict{"working_time", "has no effect with rates; expected no working_time beside them"};
  const switching_chain chain{given.schedules("schedules"), given.matrix("rates")};
  if (chain.rates.size() != chain.schedules.size())
    return setting_conflict{"rates", "expected as many rows as schedules, " + std::to_string(chain.schedules.size()) +
                                         ", found " + std::to_string(chain.rates.size())};
  if (const auto lost = never_visited_again(chain))
    return setting_conflict{"rates", "from some schedule the chain never comes to schedule " +
                                         std::to_string(*lost + 1) + " again; expected that it visits all"};
  for (const class_id id : cluster.classes()) {
    const auto has = [id](const schedule& s) { return s[static_cast<std::size_t>(id)] > 0; };
    if (std::none_of(chain.schedules.begin(), chain.schedules.end(), has))
      return setting_conflict{"schedules", "class '" + cluster.name(id) +
                                               "' is in none, so that its jobs would never " +
                                               "start; expected it in at least one"};
  }
  return std::nullopt;
}

// The objection to deriving the rates, if there is one.
nmsr_objection to_derivation(const cluster_view& cluster, const settings& given) {
  const char* blamed = given.has("schedules") ? "schedules" : "";
  const auto demands = declared_demands(cluster);
  if (!demands)
    return setting_conflict{blamed,
                            "to derive its switching chain it must know the arrival rate and the mean size of "
                            "every class, which these jobs do not declare; expected schedules and rates"};
  const double factor = mix_for(given, *demands, cluster.all_cores()).factor;
  if (factor > 1.0) return std::nullopt;
  return setting_conflict{blamed,
                          std::string{given.has("schedules") ? "these schedules" : "schedules of these classes"} +
                              " carry at most " + short_text(factor) +
                              " times the loads, in whatever shares; expected more than 1: " +
                              (given.has("schedules") ? "other schedules" : "a lower arrival rate")};
}

// A derived chain follows the loads up to the limit of the best mix. With times from requests, a switch may take time
// from the next schedules.
stability_rule stability_of_nmsr(const settings& given) {
  const bool derived = !given.has("schedules") && !given.has("rates") && !given.has("working_time");
  return derived && timer_of(given) == visit_timer::from_completion ? stability_rule::best_mix_in_turn
                                                                    : stability_rule::not_known;
}

nmsr_objection check_nmsr(const cluster_view& cluster, const settings& given) {
  for (const class_id id : cluster.classes())
    if (cluster.usable_cores(id) != cluster.all_cores())
      return setting_conflict{{},
                              "its schedules are of interchangeable cores, but class '" + cluster.name(id) +
                                  "' may use " + std::to_string(cluster.usable_cores(id)) + " of the " +
                                  std::to_string(cluster.all_cores()) + " cores"};
  if (auto why = given.has("rates") ? to_given_rates(cluster, given) : to_derivation(cluster, given)) return why;
  const auto demands = declared_demands(cluster);
  if (!demands) return std::nullopt;
  const std::vector<double> served =
      most_served(chain_of(cluster, given), *demands, cluster.all_cores(), timer_of(given));
  for (const class_id id : cluster.classes()) {
    const auto i = static_cast<std::size_t>(id);
    if (served[i] > demands->loads[i]) continue;
    const char* blamed = given.has("rates") ? "rates" : given.has("working_time") ? "working_time" : "";
    return setting_conflict{blamed, "of class '" + cluster.name(id) + "' at most " + short_text(served[i]) +
                                        " jobs are in service on average while its queue is long, but its load is " +
                                        short_text(demands->loads[i]) + "; expected more than the load"};
  }
  return std::nullopt;
}

}  // namespace

extern const policy_entry nmsr_entry = [] {
  policy_entry entry;
  entry.name = "nmsr";
  entry.about =
      "Nonpreemptive Markovian Service Rate: a Markov chain, which does not look at the queues, switches among "
      "schedules (Chen, Grosof and Berg, 2025; Quickswap, Figure 3)";
  entry.parameters = {
      {"schedules", schedules_parameter{},
       "candidate schedules, classes left out having no job; by default chosen from the loads"},
      {"rates", square_matrix_parameter{},
       "rates at which the chain moves from each schedule (row) to each (column), per unit of time; by default a cycle "
       "derived from the loads"},
      {"working_time", number_parameter{"a number > 0", 0.0, true, {}, "time"},
       "mean time between switches, summed over one cycle of the derived chain; by default the one that balances "
       "waiting for the turn against time lost in switches"},
      {"timer", choice_parameter{{"from_completion", "from_request"}},
       "whether the time to the next switch runs from the end of the last one or from its beginning"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers& random) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<nmsr>(chain_of(cluster, given), timer_of(given), random);
  };
  entry.check_settings = check_nmsr;
  entry.stable_with = stability_of_nmsr;
  return entry;
}();

}  // namespace muster
