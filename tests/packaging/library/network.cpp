// network.cpp: a link before the scheduler, and a network of a switch and two servers behind it.
#include "job_list.h"

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  constexpr muster::class_id single{0};

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 2, 1, 1.0});
  cluster.classes.push_back({"single", 1, {node}});
  cluster.policy = muster::find_policy("fcfs");
  muster::scheduler scheduler{"scheduler", time, cluster};

  using kind = muster::network_vertex::kind;
  muster::network_settings edges;
  const auto root = add_vertex({kind::scheduler, 0, "scheduler"}, edges.graph);
  const auto hub = add_vertex({kind::middle, 0, "hub"}, edges.graph);
  add_link(edges.graph, root, hub, 10, 1.0);  // latency 10 ns, 1 ns for each byte
  for (std::uint32_t n = 0; n < 2; ++n)
    add_link(edges.graph, hub, add_vertex({kind::server, n, ""}, edges.graph), 5, 0.0);  // of infinite bandwidth
  muster::network network{time, edges};

  muster::server_settings bank;
  bank.count = 2;
  bank.fetch_over = &network;  // migrating jobs fetch their state over it
  muster::server nodes{"nodes", time, bank};
  muster::link to_nodes{"to_nodes", network, 0, 2};  // for the servers 0 and 1 of the network
  scheduler.dispatches.bind(to_nodes.in);
  to_nodes.out.bind(nodes.dispatch);

  job_list jobs{{{0, single, 1000}, {0, single, 1000}}};
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  muster::link to_scheduler{"to_scheduler", time, 100};  // without bandwidth: a latency of 100 ns each way
  source.submissions.bind(to_scheduler.in);
  to_scheduler.out.bind(scheduler.submissions);

  sc_core::sc_start();
  return source.outstanding_jobs() == 0 ? 0 : 1;
}
