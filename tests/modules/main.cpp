#include "tests/modules/reports.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>

#include "tests/process_per_test.h"

namespace muster {
namespace {

std::vector<std::pair<std::string, std::string>> announced;

void judge(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() >= sc_core::SC_WARNING) {
    const std::string type = report.get_msg_type(), text = report.get_msg();
    const auto found = std::find_if(announced.begin(), announced.end(), [&](const auto& expected) {
      return type == expected.first && (text == expected.second || text.rfind(expected.second + " (at ", 0) == 0);
    });
    if (found == announced.end())
      ADD_FAILURE() << "SystemC reports: " << report.what();
    else
      announced.erase(found);
  }
  // What stops a run, stops it here too.
  if (actions & sc_core::SC_THROW) throw report;
  if (actions & sc_core::SC_ABORT) std::abort();
}

class all_reports_came : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override {
    for (const auto& [type, text] : announced) ADD_FAILURE() << "SystemC did not report " << type << ": " << text;
    announced.clear();
  }
};

}  // namespace

void expect_report(std::string type, std::string text) { announced.emplace_back(std::move(type), std::move(text)); }

}  // namespace muster

#ifdef MUSTER_SANITIZED
// Threads of SystemC run on stacks that the address sanitizer does not know. Where an exception passes one, the
// sanitizer's own call of sigaltstack() is reported as a write beyond a variable.
extern "C" const char* __asan_default_suppressions() { return "interceptor_name:sigaltstack"; }
// SystemC tells the sanitizer of the stacks of its threads. A simulation that ends within one leaves it with that
// stack, whose guard page cannot be read: leaks are looked for without stacks.
extern "C" const char* __lsan_default_options() { return "use_stacks=0"; }
#endif

// The library wants the symbol; a test runs the simulation itself.
int sc_main(int, char**) { return EXIT_FAILURE; }

int main(int argc, char** argv) {
  constexpr int overwrite = 1;
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", overwrite);
  testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(muster::judge);
  testing::UnitTest::GetInstance()->listeners().Append(new muster::all_reports_came);
  return muster::run_each_test_in_a_process();
}
