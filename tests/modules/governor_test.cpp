#include <stdexcept>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/server/server_governors.h"
#include "tests/modules/scene.h"
#include "tests/refusal.h"

// Governors of the frequencies of servers.

namespace muster {
namespace {

const governor_entry& on_demand() {
  for (const governor_entry* g : governor_catalogue())
    if (g->follows_load) return *g;
  throw std::logic_error("no governor follows the load");
}

const governed_frequencies half_or_full{frequency_table{{{1.0, 3.0, 0.5}, {2.0, 9.0, 1.0}}, 1.0}, &on_demand()};

// A server of two cores. At 50 the first job has done 25 at half speed, and then 20 beside the second one at full
// speed.
TEST(server_governors, follow_the_busy_cores_of_a_server_and_let_nothing_else_set_its_speed) {
  layout l;
  l.groups = {{"node", 1, 2, 1.0}};
  l.speeds = {{0, 0, 1.0}};
  scene s{l, {{0, class_id{0}, 100}, {50, class_id{0}, 20}}};
  cluster_control control{s.time};
  for (const auto& bank : s.servers) control.add(*bank);
  control.use(*s.speeds);
  server_governors governors{s.time, *s.speeds, {{1, 2, &half_or_full}}};
  control.use(governors);
  EXPECT_EQ(s.speeds->speed(0), 0.5) << "of an idle server";
  EXPECT_EQ(refusal<std::invalid_argument>([&] {
              control.set_speed({0, 1}, 1.0);
            }),
            "the speed of server 0 is set by its governor; expected one of fixed frequency");
  s.run();
  EXPECT_EQ(s.log.of(1).completed, 70u);
  EXPECT_EQ(s.log.of(0).completed, 180u);
  EXPECT_EQ(s.speeds->speed(0), 0.5);
}

}  // namespace
}  // namespace muster
