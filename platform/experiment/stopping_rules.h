#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/cautions/measured_window.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"

namespace muster {

/// How many replications a point gets: as many as the scenario says, or as many as a precision takes.
///
/// With a precision the intervals are looked at after 10 replications (or run.replications, if those are more) and then
/// each time that their number has grown by a fifth; the first look at which all are narrow enough is the last. Looks
/// lie at fixed numbers of replications and see nothing but the first so many, so that the outcome does not depend on
/// who finishes when.
///
/// To stop because the interval looks narrow favours samples whose variance happens to be small (Chow and Robbins,
/// 1965: coverage is right only in the limit of high precision). Ten replications at least and few looks keep that
/// small: for normally distributed replications the 95 % interval covers the mean in 93.5 to 95 % of all cases. Of
/// skewed ones, those whose variance happens to be small have a mean that is too low; an interval that allows for
/// skewness (see skewed_interval()) is the one that is looked at.
///
/// Nothing is reached where the windows are too short for the load (measured_window); where that is known beforehand,
/// the first look is the last, since more replications are as short.
///
/// Where intervals come from batch means there is one replication, which looks for itself and ends when it is narrow
/// enough (see run_replication()).
class sequential_rule {
 public:
  explicit sequential_rule(const scenario& model) : sequential_rule(model, examine_stability(model)) {}
  /// @param known the stability of the point
  sequential_rule(const scenario& model, const stability& known);

  /// What a look has found of a target.
  struct interval {
    std::optional<double> half_width;  ///< of the 95 % interval over the mean; none: there is no interval
    bool reached = false;              ///< it is as narrow as it should be
  };
  /// What a look has found.
  struct finding {
    std::vector<interval> intervals;  ///< in the order of the targets
    bool reached = false;             ///< all are as narrow as they should be, and the windows long enough
    bool is_short = false;            ///< the windows are too short for the load, or the queue grows through them
    bool overloaded = false;          ///< a replication has ended early; no further look will help
    std::uint32_t next = 0;           ///< replications until the next look; 0: there is none, the point is finished
  };

  /// Replications before the first look.
  std::uint32_t first_look() const { return first_; }
  /// @param seen in the first replications, as many as the look is due at
  finding look(const std::vector<replication_result>& seen) const;
  /// What looks go by of a replication: the metrics that are wanted and those that judge policies.
  replication_result seen_in(const replication_result& result) const;

  /// Whether there is a precision to be reached.
  bool wants_precision() const { return wanted_.has_value(); }
  /// Nobody can reach a precision of what has no limit: such a point gets the replications before the first look only.
  bool hopeless() const { return hopeless_; }
  /// Whether points of one family look together; see replication_plan.
  bool waits_for_others() const { return wants_precision() && !hopeless_ && !batch_means_; }
  const precision_spec& wanted() const { return *wanted_; }
  /// The target that is furthest from being reached.
  std::size_t furthest(const finding& found) const;

 private:
  std::optional<precision_spec> wanted_;
  std::optional<measured_window> window_;  // where there is a precision
  std::vector<metric_of_class> looked_at_;
  std::uint32_t first_;
  bool hopeless_ = false;
  bool batch_means_;
};

/// Which policies need more replications, where run.equal_within asks that each two are told apart or are equal within
/// a share, by each metric that judges them (judged_metrics()).
///
/// Two policies are compared by the paired difference of the replications that they have in common, at each look of the
/// sequential_rule, as judge() does it afterwards; the error rates are those of findings_of() for all looks together. A
/// policy that is undecided with none of the others gets no more replications. Nor do two of which one is marked as
/// biased or overloaded: it is not judged, however many there are.
class comparison_rule {
 public:
  /// @param policies that are compared, those included that are known to be unstable and are not given to undecided()
  comparison_rule(const scenario& model, std::size_t policies);

  /// Whether policies are compared at all.
  bool is_wanted() const { return run_.precision && run_.precision->equal_within; }
  /// @param seen of each policy, its first replications
  /// @return of each policy whether there is another that it is neither told apart from nor equal to
  std::vector<bool> undecided(const std::vector<const std::vector<replication_result>*>& seen) const;

 private:
  run_spec run_;
  std::size_t policies_;
  std::vector<metric_of_class> metrics_;
};

}  // namespace muster
