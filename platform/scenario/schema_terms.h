#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "platform/model/data_spec.h"
#include "platform/model/scenario.h"
#include "platform/scenario/file_kinds.h"
#include "platform/scenario/scenario_schema.h"

// What descriptions of several keys share: ranges, types and conditions.

namespace muster::schema_terms {

/// @name Ranges of numbers
/// @{
inline constexpr number_range from_0_to_1{"a number from 0 to 1", 0.0, false, 1.0};
inline constexpr number_range up_to_1{"a number > 0 and <= 1", 0.0, true, 1.0};
inline constexpr number_range from_0_to_10{"a number from 0 to 10", 0.0, false, 10.0};
inline constexpr number_range below_1{"a number >= 0 and < 1", 0.0, false, 1.0, true};
inline constexpr number_range finite_in_sums{"a number > 0 and <= 1e+100", 0.0, true, 1e100};
inline constexpr number_range factor_of_rate{"a number from 0.001 to 10", rate_event::least, false, rate_event::most};
inline constexpr number_range speed_of_servers{"a number from 0.001 to 10", speed_event::least, false,
                                               speed_event::most};
inline constexpr number_range slot_length{"a slot length > 0", 0.0, true};
/// @}

/// @name Types of keys that several keys have
/// @{
inline constexpr number_key duration{zero_or_more, "time", clock_limit::range};
inline constexpr number_key mean_time{above_zero, "time", clock_limit::range};
inline constexpr number_key exchange_time{above_zero, "time", clock_limit::range_and_step};
inline constexpr number_key bandwidth{above_zero, "bytes/time"};
inline constexpr number_key rate{above_zero, "1/time"};
inline constexpr integer_key message{0, 1'000'000'000, "bytes"};
inline constexpr integer_key replications{1, 100'000};
inline constexpr integer_key some_units{1, static_cast<std::int64_t>(most_units)};
inline constexpr integer_key cores_of_server{1, 1'000'000};
inline constexpr integer_key number_of_tasks{1, most_cores};
inline constexpr integer_key number_of_jobs{1, 1'000'000'000'000};
inline constexpr integer_key number_of_inputs{1, 10'000'000};
inline constexpr other_key some_bytes{"number or table", "{ distribution = \"exponential\", mean = \"1 GB\" }"};
inline constexpr integer_key any_seed{0, std::numeric_limits<std::int64_t>::max()};
/// @}

/// The condition that a key of the same table has a word.
inline key_condition with(std::string_view key, std::string_view word) {
  return {"with " + std::string{key} + " = \"" + std::string{word} + "\"", key, word};
}

/// The keys of all entries of a catalogue. Each has an effect where the key `by` of its table names its entry, or one
/// of the two that share it.
template <class Entry, class Keys>
std::vector<described_key> keys_of(const std::vector<const Entry*>& catalogue, std::string_view by, Keys keys) {
  std::vector<described_key> all;
  for (const Entry* entry : catalogue)
    for (const described_key& key : keys(*entry)) {
      const auto shared =
          std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == key.name; });
      if (shared == all.end()) {
        all.emplace_back(key).only = with(by, entry->name);
        continue;
      }
      shared->only.or_word = entry->name;
      shared->only.words += " or \"" + std::string{entry->name} + "\"";
    }
  return all;
}

/// The condition that the document has a trait.
inline key_condition of_trait(const char* words, std::string_view trait, const char* complaint) {
  return {words, {}, {}, false, trait, complaint};
}

/// The condition that another key of the same table is there.
inline key_condition beside(std::string_view key, const char* complaint) {
  return {"with " + std::string{key}, key, {}, false, {}, complaint};
}

/// A condition that does not concern the value 0.
inline key_condition or_zero(key_condition only) {
  only.or_zero = true;
  return only;
}

/// @name Conditions of keys
/// @{
inline const key_condition with_units =
    of_trait("with slotted jobs", slotted_jobs, "has no effect without slotted jobs; expected units beside {}");
inline const key_condition with_slots =
    of_trait("with slotted jobs", slotted_jobs, "has no effect without slotted jobs; expected classes with units");
inline const key_condition with_faults =
    of_trait("with faults", failing_servers, "has no effect without faults; expected servers with faults");
inline const key_condition with_looks =
    of_trait("with run.precision", looks_at_replications, "has no effect without run.precision or run.equal_within");
inline const key_condition endless =
    of_trait("not with finite arrivals", endless_arrivals, "expected no {} here, because the arrivals are finite");
inline const key_condition of_cluster{"with of = \"cluster\"",
                                      "of",
                                      "cluster",
                                      false,
                                      {},
                                      "belongs to servers; expected it in power.resources of a server"};
inline const key_condition no_graph =
    of_trait("not with platform.graph", servers_of_classes,
             "expected no {} here, because platform.graph has the edges of all classes");
inline const key_condition where_others_are_looked_at =
    of_trait("with partition = \"shared\", work_stealing, or dispatching = \"shortest_queue\" or \"power_of_d\"",
             looks_at_others,
             "has no effect where nothing looks at other schedulers; expected partition 'shared', work_stealing, or "
             "dispatching 'shortest_queue' or 'power_of_d'");
inline const key_condition with_sleep =
    beside("sleep_after", "expected no wake without sleep_after: cores never sleep then");
inline const key_condition with_checkpoints =
    or_zero(beside("checkpoint_every", "has no effect without checkpoint_every; expected work between checkpoints"));
inline const key_condition with_input = beside("input", "has no effect without input; expected bytes that jobs read");
inline const key_condition with_inputs =
    or_zero(beside("inputs", "has no effect without inputs; expected the number of data sets"));
inline const key_condition with_rigid{"with rigid jobs"};
inline const key_condition with_listed{"with a list or log"};
inline const key_condition with_until = beside("until", "expected 'until' beside it, the end of the record");
inline const key_condition no_file{"not with topology = \"file\"",
                                   "topology",
                                   "file",
                                   true,
                                   {},
                                   "has no effect with topology = \"file\": the file has it, edge by edge"};
/// @}

}  // namespace muster::schema_terms
