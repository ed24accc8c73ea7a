// job_list.h: what the programs of modules/docs/ have in common.
#pragma once

#include <iostream>
#include <utility>
#include <vector>

#include <muster/modules/network/link.h>
#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/modules/source/job_source.h>
#include <muster/policies/catalogue.h>

/// The jobs that a source submits, in the order of their arrivals.
class job_list final : public muster::workload {
 public:
  explicit job_list(std::vector<muster::job_request> jobs) : jobs_(std::move(jobs)) {}
  bool next(muster::job_request& job) override {
    if (next_ == jobs_.size()) return false;
    job = jobs_[next_++];
    return true;
  }

 private:
  std::vector<muster::job_request> jobs_;
  std::size_t next_ = 0;
};

/// Prints each job at its completion.
class job_printer final : public muster::job_observer {
  void job_arrives(muster::ticks, const muster::job_extension&) override {}
  void job_completes(muster::ticks now, const muster::job_extension& job) override {
    std::cout << "job " << job.id << ": arrived " << job.arrival << ", started " << job.started << ", completed "
              << now;
    if (job.interruptions > 0) std::cout << ", interrupted " << job.interruptions << " times";
    if (job.failures > 0) std::cout << ", lost its servers " << job.failures << " times";
    if (job.slots) std::cout << (job.slots->expired ? ", expired" : "") << ", utility " << double(job.slots->earned);
    std::cout << '\n';
  }
};
