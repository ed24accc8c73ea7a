#include <cstdio>
#include <list>
#include <optional>
#include <string>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/nonblocking.hpp>
#include <boost/serialization/string.hpp>

#include "platform/ranks/rank_link.h"

namespace muster {

namespace {

class mpi_link : public rank_link {
 public:
  std::size_t rank() const override { return static_cast<std::size_t>(world_.rank()); }
  std::size_t ranks() const override { return static_cast<std::size_t>(world_.size()); }
  std::string host() const override { return boost::mpi::environment::processor_name(); }

  void send(std::size_t to, rank_says kind, const std::string& text) override {
    forget_what_has_left();
    leaving_.push_back(world_.isend(static_cast<int>(to), static_cast<int>(kind), text));
  }

  std::optional<rank_message> receive() override {
    forget_what_has_left();
    const auto there = world_.iprobe();
    if (!there) return std::nullopt;
    rank_message message{static_cast<std::size_t>(there->source()), static_cast<rank_says>(there->tag()), {}};
    world_.recv(there->source(), there->tag(), message.text);
    return message;
  }

  void expect_no_farewell() override { all_are_there_ = false; }

  // MPI_Abort hands the exit status on to mpirun where MPI_Finalize cannot.
  void leave(int status) override {
    if (all_are_there_) return;
    std::fflush(nullptr);
    boost::mpi::environment::abort(status);
  }

 private:
  void forget_what_has_left() {
    leaving_.remove_if([](boost::mpi::request& message) { return message.test().has_value(); });
  }

  // The environment ends with MPI_Finalize, which waits for all; with false it does not call MPI_Abort while an
  // exception is on its way, as Boost would.
  boost::mpi::environment environment_{false};
  bool all_are_there_ = true;
  boost::mpi::communicator world_;
  std::list<boost::mpi::request> leaving_;
};

}  // namespace

extern "C" rank_link* muster_open_rank_link() { return new mpi_link; }

}  // namespace muster
