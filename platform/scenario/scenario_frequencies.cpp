#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/governor.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/diagnostics.h"

// Frequencies of the cores of servers, and the governors that choose among them.

namespace muster {

namespace {

// A frequency in the unit in which it reads best.
std::string in_hertz(double hertz) {
  for (const auto& [unit, factor] : {std::pair{"GHz", 1e9}, std::pair{"MHz", 1e6}, std::pair{"kHz", 1e3}})
    if (hertz >= factor) return fmt::format("{} {}", shortest(hertz / factor), unit);
  return fmt::format("{} Hz", shortest(hertz));
}

void check_rows(table_reader& table, const core_frequency& a, const core_frequency& b) {
  if (a.hertz == b.hertz) table.complain("frequency", "an earlier row has this frequency already");
  if (a.speed == b.speed) table.complain("speed", "an earlier row has this speed already");
  if (a.hertz != b.hertz && a.speed != b.speed && (a.hertz < b.hertz) != (a.speed < b.speed))
    table.complain("speed", fmt::format("{} at {}, but {} at {}; expected a greater speed at a higher frequency",
                                        shortest(a.speed), in_hertz(a.hertz), shortest(b.speed), in_hertz(b.hertz)));
}

std::string in_words(const frequency_table& all) {
  std::string words;
  for (const core_frequency& row : all.rows()) words += (words.empty() ? "" : ", ") + in_hertz(row.hertz);
  return words;
}

}  // namespace

std::optional<std::size_t> find_frequency(table_reader& table, const frequency_table& all) {
  const std::size_t before = table.problems();
  const double hertz = table.number("frequency");
  if (table.problems() != before) return std::nullopt;
  for (std::size_t row = 0; row < all.rows().size(); ++row)
    if (all[row].hertz == hertz) return row;
  table.complain("frequency", fmt::format("the servers have no frequency of {}; expected one of: {}", in_hertz(hertz),
                                          in_words(all)));
  return std::nullopt;
}

std::vector<core_frequency> read_frequencies(table_reader& server, server_spec& spec, const point_draft& point) {
  std::vector<core_frequency> rows;
  if (!server.find("frequencies")) return rows;
  const std::size_t before = server.problems();
  if (point.slotted)
    server.complain("frequencies", "a core does one unit in a slot; expected no frequencies with slotted jobs");
  for (table_reader& table : server.tables("frequencies")) {
    const core_frequency row{table.number("frequency"), table.number("watts"), table.number("speed")};
    table.close();
    if (server.problems() == before)
      for (const core_frequency& other : rows) check_rows(table, row, other);
    rows.push_back(row);
  }
  if (server.problems() != before) rows.clear();
  if (rows.empty()) return rows;
  const auto fastest =
      std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  spec.power.active = spec.power.overhead = fastest->watts;
  return rows;
}

void read_governor(table_reader& server, server_spec& spec, std::vector<core_frequency> rows) {
  if (rows.empty()) return;
  const auto drawing_least =
      std::min_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.watts < b.watts; });
  if (drawing_least->watts <= spec.power.idle)
    server.complain("frequencies", fmt::format("a core that works at {} draws {} W; expected more than an idle one, "
                                               "which draws {} W",
                                               in_hertz(drawing_least->hertz), shortest(drawing_least->watts),
                                               shortest(spec.power.idle)));
  const governor_entry& governor = *governor_catalogue()[server.choice<std::size_t>("governor")];
  auto found =
      std::make_shared<governed_frequencies>(governed_frequencies{{std::move(rows), spec.power.idle}, &governor});
  if (governor.takes_frequency) found->fixed = find_frequency(server, found->table).value_or(0);
  spec.frequencies = std::move(found);
}

void settle_frequencies(scenario& model) {
  for (server_spec& s : model.servers) {
    if (!s.frequencies || s.frequencies->governor->follows_load || !s.speeds.empty()) continue;
    governed_frequencies one = *s.frequencies;
    const core_frequency& row = one.table[one.row(s.cores, 0)];
    s.capacity *= row.speed;
    s.power.active = row.watts;
    one.changes = false;
    s.frequencies = std::make_shared<const governed_frequencies>(std::move(one));
  }
}

}  // namespace muster
