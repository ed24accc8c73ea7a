#pragma once

#include <string_view>
#include <vector>

#include "platform/import/slurm/unused_values.h"

// The parameters of slurm.conf by name, and what becomes of each where a scenario does not have it. Blanks set names
// apart.

namespace muster::slurm_parameters {

inline constexpr std::string_view priorities = "the policy slurm does not have this";
inline constexpr std::string_view passes = "the policy slurm does not have this option";
inline constexpr std::string_view scripts = "prologs and epilogs take no time";
inline constexpr std::string_view power = "nodes are not switched off";

/// The parameters that change when or where jobs start, and what becomes of them.
inline const std::vector<words_with_reason> effective_parameters{
    {"BurstBufferType", "there are no burst buffers"},
    {"CompleteWait", "cores are free at the end of a job"},
    {"DependencyParameters", "dependencies are not imported yet"},
    {"DownNodes", "all nodes are there from the beginning"},
    {"Epilog EpilogSlurmctld", scripts},
    {"FairShareDampeningFactor", priorities},
    {"JobSubmitPlugins", "jobs are those of the log"},
    {"KillWait", "jobs end as the log says"},
    {"Licenses", "jobs have no licences"},
    {"MaxArraySize", "arrays are as in the log"},
    {"MaxJobCount", "there may be any number of jobs"},
    {"OverTimeLimit", "jobs end as the log says"},
    {"PreemptParameters", passes},
    {"PriorityCalcPeriod PriorityDecayHalfLife PriorityFavorSmall PriorityFlags PriorityMaxAge PriorityParameters "
     "PrioritySiteFactorParameters PrioritySiteFactorPlugin PriorityType PriorityUsageResetPeriod PriorityWeightAge "
     "PriorityWeightAssoc PriorityWeightFairshare PriorityWeightJobSize PriorityWeightPartition PriorityWeightQOS "
     "PriorityWeightTRES",
     priorities},
    {"Prolog PrologFlags PrologSlurmctld", scripts},
    {"ResumeProgram ResumeRate", power},
    {"ResvOverRun", "there are no reservations of Slurm in a scenario"},
    {"SchedulerParameters", passes},
    {"SchedulerTimeSlice", "jobs do not share cores in turn"},
    {"SuspendProgram SuspendRate SuspendTime", power},
    {"TopologyParam TopologyPlugin", "switches do not decide on placement yet"},
};

// Parameters that a scenario has, or that have no effect on the schedule of jobs that a log tells.
inline constexpr std::string_view read_parameters =
    "AccountingStorageEnforce ClusterName SchedulerType SelectType SelectTypeParameters DefMemPerCPU DefMemPerNode "
    "GresTypes";
inline constexpr std::string_view harmless_parameters =
    "AccountingStoreFlags AcctGatherEnergyType AcctGatherFilesystemType AcctGatherInfinibandType "
    "AcctGatherInterconnectType AcctGatherNodeFreq AcctGatherProfileType AllowSpecResourcesUsage "
    "AccountingStorageBackupHost AccountingStorageExternalHost AccountingStorageHost AccountingStorageParameters "
    "AccountingStoragePass AccountingStoragePort AccountingStorageTRES AccountingStorageType AccountingStorageUser "
    "AuthAltParameters AuthAltTypes AuthInfo AuthType BackupAddr BackupController BatchStartTimeout BcastExclude "
    "BcastParameters CliFilterPlugins CommunicationParameters ControlAddr ControlMachine CoreSpecPlugin CpuFreqDef "
    "CpuFreqGovernors CredType CryptoType DebugFlags DisableRootJobs EioTimeout EnforcePartLimits EpilogMsgTime "
    "FederationParameters FirstJobId FrontendAddr FrontendName GetEnvTimeout GpuFreqDef GroupUpdateForce "
    "GroupUpdateTime HashPlugin HealthCheckInterval HealthCheckNodeState HealthCheckProgram InactiveLimit "
    "InteractiveStepOptions JobAcctGatherFrequency JobAcctGatherParams JobAcctGatherType JobCompHost JobCompLoc "
    "JobCompParams JobCompPass JobCompPort JobCompType JobCompUser JobContainerType JobCredentialPrivateKey "
    "JobCredentialPublicCertificate JobFileAppend JobRequeue KeepAliveTime KillOnBadExit LaunchParameters LaunchType "
    "LogTimeFormat MailDomain MailProg MaxDBDMsgs MaxJobId MaxMemPerCPU MaxMemPerNode MaxStepCount MaxTasksPerNode "
    "MCSParameters MCSPlugin MessageTimeout MinJobAge MpiDefault MpiParams NodeFeaturesPlugins PlugStackConfig "
    "PluginDir PrEpParameters PrEpPlugins PrivateData ProctrackType PropagatePrioProcess PropagateResourceLimits "
    "PropagateResourceLimitsExcept RebootProgram RequeueExit RequeueExitHold ReconfigFlags ResumeFailProgram "
    "ResumeTimeout ResvEpilog ResvProlog ReturnToService RoutePlugin ScronParameters SlurmSchedLogFile "
    "SlurmSchedLogLevel SlurmUser SlurmctldAddr SlurmctldDebug SlurmctldHost SlurmctldLogFile SlurmctldParameters "
    "SlurmctldPidFile SlurmctldPort SlurmctldPrimaryOffProg SlurmctldPrimaryOnProg SlurmctldSyslogDebug "
    "SlurmctldTimeout SlurmdDebug SlurmdLogFile SlurmdParameters SlurmdPidFile SlurmdPort SlurmdSpoolDir "
    "SlurmdSyslogDebug SlurmdTimeout SlurmdUser SrunEpilog SrunPortRange SrunProlog StateSaveLocation SuspendExcNodes "
    "SuspendExcParts SuspendExcStates SuspendTimeout SwitchParameters SwitchType TaskEpilog TaskPlugin "
    "TaskPluginParam TaskProlog TCPTimeout TmpFS TrackWCKey TreeWidth UnkillableStepProgram UnkillableStepTimeout "
    "UsePAM VSizeFactor WaitTime X11Parameters";

// Options of SchedulerParameters that change nothing of when jobs start.
inline constexpr std::string_view harmless_options =
    "max_script_size max_depend_depth default_gbytes ignore_prefer_validation";
// Options that change when or where jobs start, and that a scenario does not have.
inline constexpr std::string_view effective_options =
    "bf_busy_nodes bf_hetjob_immediate bf_hetjob_prio bf_job_part_count_reserve bf_licenses "
    "bf_max_job_array_resv bf_max_job_assoc bf_max_job_user_part bf_min_age_reserve bf_min_prio_reserve "
    "bf_node_space_size bf_one_resv_per_job bf_running_job_reserve bf_yield_rpc_cnt "
    "bf_allow_magnetic_slot bf_topopt_enable build_queue_timeout defer_batch delay_boot enable_user_top Ignore_NUMA "
    "max_array_tasks max_rpc_cnt max_sched_time max_switch_wait no_backup_scheduling nohold_on_prolog_fail "
    "partition_job_depth reduce_completing_frag requeue_delay requeue_setup_env_fail "
    "salloc_wait_nodes sbatch_wait_nodes sched_max_job_start spec_cores_first step_retry_count step_retry_time "
    "time_min_as_soft_limit whole_hetjob whole_pack disable_hetjob_steps enable_hetjob_steps disable_job_shrink "
    "bb_array_stage_cnt";

}  // namespace muster::slurm_parameters
