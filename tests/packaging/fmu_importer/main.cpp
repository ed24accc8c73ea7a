// An importer of FMUs, which knows nothing of muster: a cluster of one core serves the jobs of a list, first come first
// served, so that arithmetic tells when each is complete.
//
//   fmu_importer FOLDER JOBS.csv PLAIN CHANGED
//                                    FOLDER is the unpacked FMU; says on standard output what holds. PLAIN and CHANGED
//                                    are FMUs of a cluster whose policy has a threshold, and of the same one where the
//                                    scenario has an event that makes it 3 at 100 s
//   fmu_importer FOLDER              tells on standard error what steps of 1 s and states cost, of any FMU of muster's

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "importer.h"

namespace {

constexpr double minute = 60.0, end = 30 * minute, half_speed_from = 10 * minute;

/// Instants at which the jobs are complete, in seconds. @param slow whether the core works at half its speed from then
std::vector<double> completions(const char* jobs, bool slow) {
  std::vector<double> all;
  std::ifstream file(jobs);
  std::string line;
  std::getline(file, line);
  for (double free = 0.0; std::getline(file, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    double id = 0.0, arrival = 0.0, size = 0.0;
    std::istringstream(line) >> id >> arrival >> size;
    const double start = std::max(free, arrival * minute), work = size * minute;
    const double fast = slow ? std::clamp(half_speed_from - start, 0.0, work) : work;
    free = start + fast + (work - fast) / 0.5;
    all.push_back(free);
  }
  return all;
}

std::int64_t completed_by(const std::vector<double>& all, double time) {
  return std::count_if(all.begin(), all.end(), [&](double c) { return c <= time + 1e-9; });
}

class checks {
 public:
  void operator()(const char* what, bool holds) {
    std::cout << what << (holds ? "" : ": DOES NOT HOLD") << "\n";
    failed = failed || !holds;
  }
  bool failed = false;
};

// Tells on standard error how long steps with two outputs take, and states. Nothing judges it.
// @return jobs that are complete after the steps
std::int64_t tell_costs(const fmu& cluster, double step, int steps, std::size_t states) {
  using clock = std::chrono::steady_clock;
  const auto milliseconds_since = [](clock::time_point t) {
    return std::chrono::duration<double, std::milli>(clock::now() - t).count();
  };
  const auto completed = cluster["completed"], arrived = cluster["arrived"];
  instance many(cluster);
  std::int64_t count = 0, in_cluster = 0;
  auto begin = clock::now();
  for (int i = 1; i <= steps; ++i) {
    many.step_to(i * step);
    count = many.count(completed);
    in_cluster += many.count(arrived) - count;
  }
  std::cerr << steps << " steps with two outputs, " << static_cast<double>(in_cluster) / steps
            << " jobs in the cluster on average: " << milliseconds_since(begin) / 1e3 << " s\n";

  std::vector<double> taken, gone_back;
  for (std::size_t i = 0; i < states; ++i) {
    begin = clock::now();
    fmi3FMUState state = many.take_state();
    taken.push_back(milliseconds_since(begin));
    const double at = many.time;
    many.step_to(at + step);
    begin = clock::now();
    many.set_state(state, at);
    gone_back.push_back(milliseconds_since(begin));
    many.step_to(at + step);
    many.expect(call(cluster, fmi3FreeFMUState, many.self, &state));
  }
  for (auto& [what, all] : {std::pair{"a state", &taken}, std::pair{"back to it", &gone_back}}) {
    std::sort(all->begin(), all->end());
    std::cerr << what << ": median " << (*all)[states / 2] << " ms, 95th percentile " << (*all)[states * 95 / 100]
              << " ms\n";
  }
  return count;
}

/// Jobs that are complete after each second of the first 200. @param change whether to make the threshold 3 at 100 s
std::vector<std::int64_t> counts(instance& of, const fmu& cluster, bool change) {
  std::vector<std::int64_t> all;
  for (int second = static_cast<int>(of.time) + 1; second <= 200; ++second) {
    of.step_to(second);
    all.push_back(of.count(cluster["completed"]));
    if (change && second == 100) of.expect(of.set_whole(cluster["policy.threshold"], 3));
  }
  return all;
}

// A parameter of the policy that is an input does what the event in a scenario does, in states and after a reset, too.
void check_policy(checks& check, const char* plain_folder, const char* changed_folder) {
  const fmu plain(plain_folder), changed(changed_folder);
  const fmi3ValueReference threshold = plain["policy.threshold"];
  instance as_it_is(plain), by_event(changed), by_input(plain);
  const auto unchanged = counts(as_it_is, plain, false), expected = counts(by_event, changed, false);
  check("a threshold set at 100 s does what the event does",
        counts(by_input, plain, true) == expected && unchanged != expected);
  by_input.reset();
  check("its threshold is as before after a reset",
        by_input.count(threshold) == 0 && counts(by_input, plain, false) == unchanged);
  by_input.reset();
  by_input.run_to(90.0);
  const fmi3FMUState at_90 = by_input.take_state();
  counts(by_input, plain, true);
  const std::int64_t set = by_input.count(threshold);
  by_input.set_state(at_90, 90.0);
  const std::vector<std::int64_t> rest(unchanged.begin() + 90, unchanged.end());
  check("and in a state from before it was set",
        set == 3 && by_input.count(threshold) == 0 && counts(by_input, plain, false) == rest);
  check("a threshold out of range is discarded", by_input.set_whole(threshold, 4) == fmi3Discard);
}

}  // namespace

int main(int argc, char* argv[]) try {
  if (argc != 2 && argc != 5) return 2;
  const fmu cluster(argv[1]);
  if (argc == 2) return tell_costs(cluster, 1.0, 100'000, 500) > 0 ? 0 : 1;
  const auto completed = cluster["completed"], speed = cluster["speed.node"];
  const std::vector<double> expected = completions(argv[2], false), slowly = completions(argv[2], true);
  checks check;

  // The same counts every ten seconds, whatever the steps are.
  const auto agrees = [&](instance& of, const std::vector<double>& with, auto next_step) {
    bool same = true;
    for (double mark = of.time + 10.0; mark <= end; mark += 10.0) {
      while (of.time < mark) of.step_to(std::min(mark, of.time + next_step()));
      same = same && of.count(completed) == completed_by(with, mark);
    }
    return same;
  };
  std::mt19937 random(1);
  std::uniform_real_distribution<double> random_step(0.01, 7.0);
  instance seconds(cluster), any(cluster), used(cluster, instance::events::used);
  check("steps of 1 s", agrees(seconds, expected, [] { return 1.0; }));
  check("random steps", agrees(any, expected, [&] { return random_step(random); }));
  check("steps of 7 s with events, without early return", agrees(used, expected, [] { return 7.0; }));
  instance thirds(cluster);
  bool same = true;
  for (int i = 1; i <= 3 * static_cast<int>(end); ++i) {
    thirds.step_to(i / 3.0);
    if (i % 30 == 0) same = same && thirds.count(completed) == completed_by(expected, i / 3.0);
  }
  check("steps of 1/3 s", same);

  // Every completion is found at its instant.
  instance early(cluster, instance::events::with_early_return);
  std::vector<double> found;
  for (std::int64_t before = 0, now = 0; early.time < end; before = now) {
    early.step_to(end);
    now = early.count(completed);
    found.insert(found.end(), static_cast<std::size_t>(now - before), early.time);
  }
  check("early return at each completion", std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                                                      [](double a, double b) { return std::abs(a - b) < 1e-9; }));

  // Two instances side by side, one of them at half speed.
  instance fast(cluster), slow(cluster);
  bool apart = true;
  for (double t = 10.0; t <= end; t += 10.0) {
    fast.step_to(t);
    if (t == half_speed_from + 10.0) slow.expect(slow.set(speed, 0.5));
    slow.step_to(t);
    apart =
        apart && fast.count(completed) == completed_by(expected, t) && slow.count(completed) == completed_by(slowly, t);
  }
  check("two instances side by side, one at half speed", apart);

  // Back, within what was gone back to as well.
  instance back(cluster);
  back.run_to(half_speed_from);
  const fmi3FMUState at_ten = back.take_state();
  bool exact = agrees(back, expected, [] { return 5.0; });
  back.set_state(at_ten, half_speed_from);
  back.expect(back.set(speed, 0.5));
  back.run_to(15 * minute);
  const fmi3FMUState at_fifteen = back.take_state();
  for (int times = 0; times < 2; ++times) {
    exact = agrees(back, slowly, [] { return 3.0; }) && exact;
    back.set_state(at_fifteen, 15 * minute);
  }
  back.set_state(at_ten, half_speed_from);
  check("back to a state, and to one within", agrees(back, expected, [] { return 10.0; }) && exact);
  back.reset();
  exact = back.count(completed) == 0 && agrees(back, expected, [] { return 10.0; });
  check("reset", exact);
  back.set_state(at_fifteen, 15 * minute);
  check("back to a state from before the reset", agrees(back, slowly, [] { return 10.0; }));

  // What is refused changes nothing.
  instance wrong(cluster);
  wrong.run_to(half_speed_from);
  check("a step from the past is an error", wrong.try_step(0.0, 1.0) == fmi3Error);
  std::cout << "  " << wrong.message << "\n";
  check("a step that is no number is an error", wrong.try_step(wrong.time, std::nan("")) == fmi3Error);
  std::cout << "  " << wrong.message << "\n";
  check("an input out of range is discarded", wrong.set(speed, -1.0) == fmi3Discard);
  check("an input that is no number is discarded", wrong.set(speed, std::nan("")) == fmi3Discard);
  check("an output cannot be set", wrong.set(completed, 1.0) == fmi3Error);
  std::cout << "  " << wrong.message << "\n";
  check("nothing is lost", agrees(wrong, expected, [] { return 10.0; }));

  check_policy(check, argv[3], argv[4]);

  check("10000 steps", tell_costs(cluster, end / 10'000, 10'000, 20) == completed_by(expected, end));
  return check.failed ? 1 : 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
