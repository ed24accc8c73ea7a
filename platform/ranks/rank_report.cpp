#include "platform/ranks/rank_report.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <nlohmann/json.hpp>

namespace muster {

using nlohmann::json;

std::string digest(const study& s) {
  std::string all = s.resolved;
  for (const auto* files : {&s.files, &s.logs})
    for (const auto& [name, content] : *files)
      for (const std::string* part : {&name, &content}) (all += '\0') += *part;
  return to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(all));
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(rank_report, host, workers, version, study, error, code)

std::string to_text(const rank_report& report) {
  return json(report).dump(-1, ' ', false, json::error_handler_t::replace);
}

rank_report report_from_text(const std::string& text) { return json::parse(text).get<rank_report>(); }

// The fields are a line before the text, which may be long.
std::string to_text(const task_outcome& outcome) {
  return json{outcome.task, outcome.failed, outcome.died}.dump() + "\n" + outcome.text;
}

task_outcome outcome_from_text(const std::string& text) {
  const std::size_t end = text.find('\n');
  const json in = json::parse(text.substr(0, end));
  return {in.at(0), in.at(1), text.substr(end + 1), in.at(2)};
}

}  // namespace muster
