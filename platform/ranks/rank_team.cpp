#include "platform/ranks/rank_team.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "muster/version.h"
#include "platform/ranks/rank_report.h"

namespace muster {

using namespace std::chrono_literals;

namespace {

constexpr auto pause_between_looks = 1ms;  // MPI has no way to wait for messages and processes at once
constexpr auto longest_silence = 10s;      // the other ranks send a message every second
constexpr auto longest_start = 60s;
constexpr auto longest_farewell = 1s;
constexpr std::size_t most_deaths = 3;

/// All ranks, seen from rank 0.
class rank_team : public task_runner {
 public:
  rank_team(rank_link& link, const simulation& work) : link_(link), simulate_(work), seats_(link.ranks()) {}
  rank_team(const rank_team&) = delete;
  rank_team& operator=(const rank_team&) = delete;
  // Makes the other ranks stop.
  ~rank_team() override {
    try {
      rank_team::end();
    } catch (const std::exception&) {  // no rank is left to receive it
    }
  }

  // Waits until every rank has read the study. @throws rank_error if one has not, or has read something else
  void agree_on(const study& s, std::size_t workers) {
    study_ = &s;
    const rank_report own{link_.host(), workers, version, digest(s), {}, running_code()};
    seats_[0].report = own;
    seats_[0].there = true;
    receive_while([](const seat& at) { return !at.there; }, longest_start,
                  [](seat& at, const rank_message& message) {
                    if (message.kind != rank_says::ready) return;
                    at.report = report_from_text(message.text);
                    at.there = true;
                  });
    for (std::size_t rank = 1; rank < seats_.size(); ++rank) {
      const rank_report& report = seats_[rank].report;
      if (!seats_[rank].there) throw rank_error(fmt::format("{} has not answered for a minute", name(rank)));
      if (!report.error.empty()) throw rank_error(fmt::format("{}: {}", name(rank), report.error));
      if (report.version != own.version)
        throw rank_error(
            fmt::format("{}: is muster {}, but {} is muster {}", name(rank), report.version, name(0), own.version));
      if (const std::string differs = code_difference(report.code, own.code, "there", "here"); !differs.empty())
        throw rank_error(fmt::format("{}: runs other code than {}: {}", name(rank), name(0), differs));
      if (report.study != own.study)
        throw rank_error(fmt::format(
            "{}: has read another study than {}: the scenario, or a file that it names, is not the same there",
            name(rank), name(0)));
    }
  }

  std::size_t workers() const override {
    std::size_t all = 0;
    for (const seat& at : seats_) all += at.report.workers;
    return all;
  }

  void run(task_source& source) override {
    begin();
    for (bool going_on = true; going_on;) {
      while (going_on) {
        const auto message = link_.receive();
        if (!message) break;
        going_on = hear(*message, source);
      }
      if (!going_on) break;
      hand_out(source);
      if (is_idle()) break;
      for (task_outcome& outcome : own_.wait(pause_between_looks))
        going_on = going_on && settle(0, std::move(outcome), source);
      watch_for_silence(source);
      going_on = going_on && source.tick();
    }
  }

  // Waits until the other ranks have stopped, as a trace must not be mended while one of them writes it.
  void end() override {
    if (ended_) return;
    ended_ = true;
    for (std::size_t rank = 1; rank < seats_.size(); ++rank) link_.send(rank, rank_says::stop, "");
    receive_while([](const seat& at) { return at.there && !at.silent; }, longest_farewell,
                  [](seat& at, const rank_message& message) {
                    if (message.kind == rank_says::stopped) at.there = false;
                  });
  }

 private:
  using clock = std::chrono::steady_clock;

  // Numbers of tasks continue those of an earlier source, so that late outcomes of its tasks are dropped.
  void begin() {
    awake_ = clock::now();
    for (seat& at : seats_) {
      at.heard = awake_;
      at.tasks.clear();
    }
    again_.clear();
    first_ = last_ + 1;
  }

  struct seat {
    rank_report report;
    std::set<std::size_t> tasks{};  // tasks under way on the rank
    clock::time_point heard{};
    bool there = false, silent = false;
  };
  struct attempt {
    std::size_t task;
    std::size_t after;  // the rank where the attempt failed
  };

  std::string name(std::size_t rank) const {
    return seats_[rank].report.host.empty() ? fmt::format("rank {}", rank)
                                            : fmt::format("rank {} on host {}", rank, seats_[rank].report.host);
  }

  void hand_out(task_source& source) {
    for (std::size_t rank = 0; rank < seats_.size(); ++rank) {
      seat& at = seats_[rank];
      while (at.there && !at.silent && at.tasks.size() < at.report.workers) {
        const std::optional<std::size_t> number = task_for(rank, source);
        if (!number) break;
        const simulation_task task = source.describe(*number - first_);
        if (rank == 0)
          own_.start({*number}, [&](std::size_t) { return simulate_(*study_, task); });
        else
          link_.send(rank, rank_says::task, to_text(task_outcome{*number, false, to_text(task)}));
        at.tasks.insert(*number);
      }
    }
  }

  // A task that has failed on a rank goes to another one, as long as there is any.
  std::optional<std::size_t> task_for(std::size_t rank, task_source& source) {
    const auto present =
        std::count_if(seats_.begin(), seats_.end(), [](const seat& at) { return at.there && !at.silent; });
    const auto found = std::find_if(again_.begin(), again_.end(),
                                    [&](const attempt& last) { return last.after != rank || present == 1; });
    if (found == again_.end()) {
      const std::optional<std::size_t> next = source.next();
      if (!next) return std::nullopt;
      last_ = std::max(last_, first_ + *next);
      return first_ + *next;
    }
    const std::size_t task = found->task;
    again_.erase(found);
    return task;
  }

  bool hear(const rank_message& message, task_source& source) {
    seat& at = seats_[message.from];
    at.heard = clock::now();
    if (at.silent) source.incident(fmt::format("{} answers again", name(message.from)), std::nullopt);
    at.silent = false;
    if (message.kind == rank_says::outcome) return settle(message.from, outcome_from_text(message.text), source);
    if (message.kind == rank_says::stopped) {
      source.incident(fmt::format("{} has given up: {}; the others go on without it", name(message.from), message.text),
                      std::nullopt);
      at.there = false;
      lose(message.from);
    }
    return true;
  }

  bool settle(std::size_t rank, task_outcome outcome, task_source& source) {
    if (seats_[rank].tasks.erase(outcome.task) == 0) return true;  // another rank has the task, as this one was silent
    const std::size_t number = outcome.task;
    outcome.task -= first_;
    if (!outcome.died) return source.take(outcome);
    outcome.text = fmt::format("{}: {}", name(rank), outcome.text);
    if (++deaths_[number] == most_deaths) {
      outcome.text += fmt::format(", {} times in a row", most_deaths);
      return source.take(outcome);
    }
    source.incident(outcome.text, outcome.task);
    again_.push_back({number, rank});
    return true;
  }

  void watch_for_silence(task_source& source) {
    const auto now = clock::now();
    const bool was_away = now - awake_ > 1s;  // this rank has received nothing meanwhile
    awake_ = now;
    for (std::size_t rank = 1; rank < seats_.size(); ++rank) {
      seat& at = seats_[rank];
      if (was_away) at.heard = now;
      if (!at.there || at.silent || now - at.heard < longest_silence) continue;
      at.silent = true;
      link_.expect_no_farewell();
      source.incident(fmt::format("{} has been silent for {} s; what it was simulating is run again on others",
                                  name(rank), longest_silence.count()),
                      std::nullopt);
      lose(rank);
    }
  }

  void lose(std::size_t rank) {
    for (const std::size_t task : seats_[rank].tasks) again_.push_back({task, rank});
    seats_[rank].tasks.clear();
  }

  bool is_idle() const {
    return again_.empty() && std::all_of(seats_.begin(), seats_.end(), [](const seat& at) { return at.tasks.empty(); });
  }

  // Takes messages while some other rank is waited for, but for no longer than `longest`.
  void receive_while(bool (*waits_for)(const seat&), clock::duration longest,
                     void (*take)(seat& from, const rank_message& message)) {
    const auto begun = clock::now();
    while (std::any_of(seats_.begin() + 1, seats_.end(), waits_for) && clock::now() - begun < longest) {
      while (const auto message = link_.receive()) take(seats_[message->from], *message);
      std::this_thread::sleep_for(pause_between_looks);
    }
  }

  rank_link& link_;
  const simulation& simulate_;
  const study* study_ = nullptr;
  std::vector<seat> seats_;
  child_processes own_;
  std::vector<attempt> again_;                 // attempts to be repeated, the oldest first
  std::map<std::size_t, std::size_t> deaths_;  // deaths in a row, by task
  clock::time_point awake_{};                  // time at which this rank last looked
  std::size_t first_ = 0, last_ = 0;           // number of the source's task 0, and the highest number of all
  bool ended_ = false;
};

}  // namespace

int lead_ranks(rank_link& link, const std::function<study()>& read, std::size_t workers,
               const std::function<int(const study&, task_runner&)>& run, const simulation& work) {
  rank_team team(link, work);
  const study s = read();
  team.agree_on(s, workers);
  return run(s, team);
}

}  // namespace muster
