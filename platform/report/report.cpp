#include "platform/report/report.h"

#include "platform/report/figures.h"
#include "platform/report/page.h"
#include "platform/report/stored_results.h"

namespace muster {

void write_report(const result_directory& directory, const study& s) {
  const stored_results stored = read_stored_results(directory, s);
  directory.remove_report();
  for (const auto& [name, svg] : figures_of(s, stored)) directory.write("figures/" + name, svg);
  directory.write("report.html", page_of(s, stored));
}

}  // namespace muster
