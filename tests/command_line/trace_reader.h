#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace muster {

/// A CSV table without quoted fields: a row is a map from column to field.
inline std::vector<std::map<std::string, std::string>> read_table(const std::string& text) {
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t comma; (comma = line.find(',', begin)) != std::string::npos; begin = comma + 1)
      fields.push_back(line.substr(begin, comma - begin));
    fields.push_back(line.substr(begin));
    return fields;
  };
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> columns = fields_of(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != columns.size()) throw std::runtime_error("fields are missing: " + line);
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < columns.size(); ++c) row[columns[c]] = fields[c];
  }
  return rows;
}

/// A value change dump, read as the standard has it.
struct value_changes {
  struct change {
    std::uint64_t time, value;
  };
  std::string timescale;
  std::map<std::string, std::vector<change>> signals;  ///< by scopes and name, with dots between
  std::uint64_t end = 0;

  explicit value_changes(const std::string& text) {
    std::istringstream in(text);
    std::map<std::string, std::string> name_of;
    std::string scope, word;
    while (in >> word && word != "$enddefinitions") {
      if (word == "$scope") {
        std::string kind, name;
        in >> kind >> name;
        scope += name + ".";
      } else if (word == "$upscope") {
        scope.erase(scope.find_last_of('.', scope.size() - 2) + 1);
      } else if (word == "$timescale") {
        std::string unit;
        in >> timescale >> unit;
        timescale += " " + unit;
      } else if (word == "$var") {
        std::string kind, bits, code, name;
        in >> kind >> bits >> code >> name;
        if (!name_of.emplace(code, scope + name).second) throw std::runtime_error("code used twice: " + code);
      }
      while (word != "$end" && in >> word) {
      }
    }
    in >> word;  // $end
    while (in >> word) {
      if (word.front() == '#') {
        const std::uint64_t time = std::stoull(word.substr(1));
        if (time < end) throw std::runtime_error("time runs backwards at " + word);
        end = time;
      } else if (word.front() == 'b') {
        std::string code;
        in >> code;
        signals[name_of.at(code)].push_back({end, std::stoull(word.substr(1), nullptr, 2)});
      } else if (word != "$dumpvars" && word != "$end") {
        throw std::runtime_error("unknown change: " + word);
      }
    }
  }

  /// Time average of a signal from 0 to the end.
  double average(const std::string& name) const {
    const std::vector<change>& all = signals.at(name);
    double sum = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i)
      sum += static_cast<double>(all[i].value) *
             static_cast<double>((i + 1 < all.size() ? all[i + 1].time : end) - all[i].time);
    return sum / static_cast<double>(end);
  }
};

}  // namespace muster
