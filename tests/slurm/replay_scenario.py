"""The text of muster's scenario for a replay."""

import json

from job_sets import CORES, GPUS, MEMORY, NODES

SCENARIO = """\
name = "replay"

[platform]
servers = [{{ name = "n", count = {nodes}, cores = {cores}{resources} }}]
costs = {{ dispatch_latency = {launch} }}
{declared}
[arrivals]
process = "log"
file = "submitted.csv"
class_by = "all"
estimate = "requested"
{counted}
[policy]
{policy}
{events}

[run]
replications = 1
"""
EVENT = """
[[events]]
at = {at}
servers = "n"
action = "{action}"
count = {nodes}{known}
"""
TIERS = """\
name = "replay"

[platform]
servers = [{{ name = "n", count = {nodes}, cores = {cores} }}]
{classes}
[arrivals]
process = "list"
file = "submitted.csv"
estimate = "requested"

[policy]
{policy}
{events}

[run]
replications = 1
"""
TIER = """
[[classes]]
name = "{name}"
tasks = 1
per_task = {{ cores = 1 }}
policy = {{ PriorityTier = {tier} }}
"""


def need_columns(jobs, by_node):
    """Columns of a log for what jobs need beside cores: their names, and a function of a job that has the cells. Where
    jobs have GPUs, or memory counts, they are tasks."""
    columns = {}
    if by_node or any(job.memory for job in jobs):
        columns["memory"] = lambda job: f"{(job.memory or MEMORY // CORES) * job.cores} MB"
    if any(job.gpus for job in jobs):
        columns["gpu"] = lambda job: job.gpus
    if any(job.account for job in jobs):
        columns["user"] = lambda job: job.account
    if any(job.qos for job in jobs):
        columns["qos"] = lambda job: job.qos
    return columns


def toml_of(value):
    """The text of a number, of a string, or of a table that has such values and tables."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{ " + ", ".join(f"{key} = {toml_of(inner)}" for key, inner in value.items()) + " }" if value else "{}"


def lines_of(policy):
    """Of the section of a policy."""
    return "\n".join(f"{key} = {toml_of(value)}" for key, value in policy.items())


def events(outage, pauses, nodes):
    """The text of a scenario's events, in the times of muster.

    @param outage None: there is none
    @param pauses begins and ends of times in which no job starts, as all nodes are drained; not during the outage
    """
    text = "" if outage is None else (
        EVENT.format(at=outage.begin, action="drain", nodes=outage.nodes, known="\nknown = true") +
        EVENT.format(at=outage.end, action="return", nodes=outage.nodes, known=""))
    for begin, end in pauses:
        if outage is None or end < outage.begin or outage.end < begin:
            text += (EVENT.format(at=begin, action="drain", nodes=nodes, known="") +
                     EVENT.format(at=end, action="return", nodes=nodes, known=""))
    return text


def scenario(nodes, columns, launch, policy, outage, pauses=()):
    """The text of a scenario. @param columns of need_columns @param outage with the times of muster; None: there is
    none"""
    amounts = {"memory": f'memory = "{MEMORY} MB"', "gpu": f"gpu = {GPUS}"}
    kinds = {"memory": 'memory = { kind = "amount", unit = "B" }\n', "gpu": 'gpu = { kind = "devices" }\n'}
    counted = {"memory": 'memory = "memory"\n', "gpu": 'resources = { gpu = "gpu" }\n'}
    texts = lambda of: [of[name] for name in of if name in columns]
    return SCENARIO.format(
        nodes=nodes, cores=CORES, launch=launch, events=events(outage, pauses, nodes), counted="".join(texts(counted)),
        policy=lines_of(policy),
        resources=f", resources = {{ {', '.join(texts(amounts))} }}" if texts(amounts) else "",
        declared="[platform.resources]\n" + "".join(texts(kinds)) if texts(kinds) else "")


def scenario_of_tiers(tiers, policy, pauses):
    """The text of a scenario whose classes are partitions of all nodes. @param pauses see events()"""
    return TIERS.format(nodes=NODES, cores=CORES, policy=lines_of(policy), events=events(None, pauses, NODES),
                        classes="".join(TIER.format(name=name, tier=tier) for tier, name in enumerate(tiers, 1)))
