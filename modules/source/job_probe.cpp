#include "muster/modules/source/job_probe.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

job_probe::job_probe(const sc_module_name& name, timekeeper& time, job_observer& observer)
    : sc_module(name), time_(time), observer_(observer) {
  in.register_nb_transport_fw(this, &job_probe::forward);
  in.register_b_transport(this, &job_probe::blocking);
  in.register_transport_dbg(this, &job_probe::debug);
  out.register_nb_transport_bw(this, &job_probe::backward);
}

tlm_sync_enum job_probe::forward(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == BEGIN_REQ)
    if (const auto* job = p.get_extension<job_extension>()) observer_.job_arrives(time_.now(), *job);
  return out->nb_transport_fw(p, phase, delay);
}

tlm_sync_enum job_probe::backward(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == BEGIN_RESP)
    if (const auto* job = p.get_extension<job_extension>()) observer_.job_completes(time_.now(), *job);
  return in->nb_transport_bw(p, phase, delay);
}

void job_probe::blocking(tlm_generic_payload& p, sc_time& delay) { out->b_transport(p, delay); }

unsigned job_probe::debug(tlm_generic_payload& p) { return out->transport_dbg(p); }

}  // namespace muster
