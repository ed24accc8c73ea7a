#include "tests/ranks/ranks_test.h"

namespace muster {
namespace {

/// Two network namespaces that act as hosts: names, addresses and networks of their own, joined by a bridge.
class hosts_test : public ranks_test {
 protected:
  void SetUp() override {
    ranks_test::SetUp();
    id_ = std::to_string(getpid());
    const auto made =
        shell("set -e; ip link add " + bridge() + " type bridge; ip addr add 10.77.0.1/24 dev " + bridge() +
              "; ip link set " + bridge() + " up; for i in 2 3; do ip netns add " + space("$i") + "; ip link add " +
              cable("$i") + " type veth peer name eth0 netns " + space("$i") + "; ip link set " + cable("$i") +
              " master " + bridge() + " up; ip -n " + space("$i") + " addr add 10.77.0.$i/24 dev eth0; ip -n " +
              space("$i") + " link set eth0 up; ip -n " + space("$i") + " link set lo up; done; ip netns exec " +
              space("2") + " unshare -u true");
    if (made.status != 0) GTEST_SKIP() << "network namespaces are not permitted here: " << made.output;
    // What mpirun takes for a remote shell.
    std::ofstream(folder_ / "enter") << "#!/bin/sh\nhost=${1##*.}; shift\nexec ip netns exec " << space("$host")
                                     << " unshare -u sh -c \"hostname host$host; $*\"\n";
    std::filesystem::permissions(folder_ / "enter", std::filesystem::perms::owner_all);
  }
  void TearDown() override {
    ranks_test::TearDown();
    shell("ip netns del " + space("2") + "; ip netns del " + space("3") + "; ip link del " + bridge());
  }

  std::string on_two_hosts(const std::string& words) const {
    return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n 3 -H 10.77.0.2:1,10.77.0.3:2"
           " --mca plm_rsh_agent " +
           at("enter") +
           " --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24 --mca pml ob1"
           " --mca btl self,tcp " +
           words;
  }

  std::string id_;

 private:
  std::string bridge() const { return "mb" + id_; }
  std::string cable(const std::string& host) const { return "mv" + id_ + "_" + host; }
  std::string space(const std::string& host) const { return "muster_" + id_ + "_" + host; }
};

TEST_F(hosts_test, find_the_same_bytes_as_one_worker) {
  const std::string words = "run " + scenario() + " --quiet --out ";
  const auto ran = shell("cd / && " + on_two_hosts(MUSTER_BINARY " " + words + at("hosts")));
  ASSERT_EQ(ran.status, 0) << ran.output;
  ASSERT_EQ(shell("muster " + words + at("alone") + " -j 1").status, 0);
  EXPECT_EQ(results("hosts"), results("alone"));
}

TEST_F(hosts_test, are_named_where_something_is_wrong) {
  std::ofstream(folder_ / "elsewhere.sh") << "[ $OMPI_COMM_WORLD_RANK = 1 ] && seed=2\nexec " MUSTER_BINARY " run "
                                          << scenario() << " --quiet --seed ${seed:-1} --out " << at("out") << "\n";
  const auto ran = shell(on_two_hosts("sh " + at("elsewhere.sh")));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times("rank 1 on host host3: has read another study than rank 0 on host host2: the scenario, or a file "
                  "that it names, is not the same there\n",
                  ran.output),
            1u)
      << ran.output;
}

}  // namespace
}  // namespace muster
