"""A Slurm cluster of virtual nodes on the loopback of this host, with all its files in a folder of its own.

Every daemon is a child of this process, which adopts what a daemon leaves behind, so that all of them can be ended by
process id. Nothing of an installed Slurm or munge is used but its programs.
"""

import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# Program, and the Debian package that has it.
PROGRAMS = {"munged": "munge", "slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client",
            "sinfo": "slurm-client", "squeue": "slurm-client", "scancel": "slurm-client", "scontrol": "slurm-client"}
# The same of what keeps the usage of accounts.
ACCOUNTING = {"slurmdbd": "slurmdbd", "sacctmgr": "slurm-client", "mariadbd": "mariadb-server",
              "mariadb-install-db": "mariadb-server"}
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])
ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
SIGNAL_AT_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG
MEMORY = 1000  # MB of a node

CONF = """\
ClusterName=virt
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmctldDebug=debug
DebugFlags=TraceJobs
LogTimeFormat=iso8601_ms
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completions
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldPort={port}
SlurmdPort={port_of_nodes}
{more}
SchedulerType={scheduler}
SchedulerParameters={parameters}
SelectType=select/cons_tres
SelectTypeParameters={select}
NodeName=n[0-{last}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_port}-{last_port}] CPUs={cores} Boards=1 \
SocketsPerBoard=1 CoresPerSocket={cores} ThreadsPerCore=1 RealMemory={memory}{devices}
{partitions}
"""
# Without limits slurmctld does not count the usage of jobs that end before the next computation of priorities.
CONF_OF_ACCOUNTING = """\
AccountingStorageEnforce=limits
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={folder}/munge.socket"""
CONF_OF_SLURMDBD = """\
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={port_of_database}
StorageUser=root
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
"""


class SlurmError(Exception):
    """The cluster did not do what it was asked to, with the end of its log."""


def missing_packages(accounting=False):
    """Debian packages that Slurm needs here and that are not installed. @param accounting whether of accounting, too"""
    needed = {**PROGRAMS, **(ACCOUNTING if accounting else {})}
    return sorted({package for program, package in needed.items() if not shutil.which(program, path=PATH)})


def line_of(name, value):
    """Of slurm.conf, for a parameter of priorities or preemption."""
    if name == "PriorityType":
        value = f"priority/{value}"
    if name == "PreemptType":
        value = f"preempt/{value}"
    if name in ["PriorityCalcPeriod", "PriorityMaxAge", "PriorityDecayHalfLife"]:
        value //= 60  # Slurm takes minutes
    return f"{name}={value}"


def words_of_qos(parameters):
    """Of sacctmgr, for the parameters that a QOS has in the policy slurm."""
    names = {"GrpCPUs": "GrpTRES=cpu", "MaxCPUsPerUser": "MaxTRESPerUser=cpu"}
    return [f"{names.get(name, name)}={value}" for name, value in parameters.items()]


def version():
    return subprocess.run([shutil.which("slurmctld", path=PATH), "-V"], text=True, capture_output=True).stdout.strip()


def free_ports(count):
    """The first of so many neighbouring ports of the loopback that nobody listens on. Clusters that start at the same
    time look at other ports first."""
    for first in range(17817 + os.getpid() % 500 * count, 32000, count):
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.socket())
                taken[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            pass
        finally:
            for one in taken:
                one.close()
    raise SlurmError(f"no {count} neighbouring ports of 127.0.0.1 are free")


def own_priority():
    """The nice value of this session's processes together, see autogroups in sched(7); None where there are none."""
    try:
        with open("/proc/self/autogroup", encoding="ascii") as text:
            return text.read().split()[-1]
    except OSError:
        return None


def take_priority(value):
    """Gives the session of this process a nice value of own_priority(), if it may have it."""
    try:
        if value is not None:
            with open("/proc/self/autogroup", "w", encoding="ascii") as text:
                text.write(value)
    except OSError:
        pass


def descendants(pid):
    """Process ids of all children of a process, of their children, and so on."""
    found = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except FileNotFoundError:
        return found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as text:
                children = [int(child) for child in text.read().split()]
        except FileNotFoundError:
            continue
        for child in children:
            found += [child] + descendants(child)
    return found


class SlurmCluster:
    """Runs as long as its `with` block.

    @param nodes number of nodes, n0, n1, ..
    @param cores of each node
    @param scheduler of slurm.conf's SchedulerType
    @param parameters of slurm.conf's SchedulerParameters
    @param select of slurm.conf's SelectTypeParameters
    @param partitions lines of slurm.conf; None: one of all nodes
    @param priority names and values of slurm.conf, as PriorityType, without "priority/", and times in seconds; none:
        the order of arrival
    @param gpus of each node
    @param accounts names of accounts with equal shares, in which this user submits; none: there is no accounting
    @param qos parameters of each QOS by its name, see JobSet; only where there are accounts
    """

    def __init__(self, nodes, cores, scheduler, parameters, select="CR_Core", partitions=None, priority=None, gpus=0,
                 accounts=(), qos=None):
        self.nodes = nodes
        self.cores = cores
        self.gpus = gpus
        self.accounts = accounts
        self.qos = qos or {}
        self.settings = {
            "scheduler": scheduler, "parameters": parameters, "select": select, "cores": cores, "memory": MEMORY,
            "more": "\n".join(line_of(name, value) for name, value in (priority or {"PriorityType": "basic"}).items()),
            "devices": f" Gres=gpu:{gpus}" if gpus else "",
            "partitions": partitions or "PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP"}
        if gpus:
            self.settings["more"] += "\nGresTypes=gpu"
        self.folder = None
        self.daemons = []

    def __enter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
        priority = own_priority()

        def begin():
            libc.prctl(SIGNAL_AT_PARENTS_DEATH, signal.SIGTERM, 0, 0, 0)
            take_priority(priority)

        self.in_each_daemon = begin
        self.folder = tempfile.mkdtemp(prefix="muster_slurm_")
        try:
            self._configure()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, name):
        """The text of a file of the cluster's folder, such as slurmctld.log; empty before it is there."""
        if not os.path.exists(os.path.join(self.folder, name)):
            return ""
        with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as text:
            return text.read()

    def call(self, program, *words):
        """What one of Slurm's commands prints. @throws SlurmError if it fails"""
        done = subprocess.run([shutil.which(program, path=PATH), *words], text=True, capture_output=True,
                              env=self.environment, cwd=self.folder)
        if done.returncode != 0:
            raise SlurmError(f"{program} {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def check_daemons(self):
        """@throws SlurmError if one has ended"""
        for daemon in self.daemons:
            if daemon.poll() is not None:
                raise SlurmError(f"ended: {' '.join(daemon.args)}\n{self._end_of_logs()}")

    def _configure(self):
        os.chmod(self.folder, 0o755)
        for name in ["state", "spool"]:
            os.mkdir(os.path.join(self.folder, name))
        port = free_ports(self.nodes + 4)
        self.port_of_database = port + self.nodes + 3
        host = socket.gethostname().partition(".")[0]
        self.conf = os.path.join(self.folder, "slurm.conf")
        if self.gpus:
            for number in range(self.gpus):  # slurmd asks for a file of each device, and does not open it
                self._write(f"gpu{number}", "")
            files = f"{self.folder}/gpu[0-{self.gpus - 1}]"
            self._write("gres.conf", f"NodeName=n[0-{self.nodes - 1}] Name=gpu File={files}\n")
        if self.accounts:
            self.settings["more"] += "\n" + CONF_OF_ACCOUNTING.format(port=port + self.nodes + 2,
                                                                         folder=self.folder)
            self._write("slurmdbd.conf", CONF_OF_SLURMDBD.format(
                port=port + self.nodes + 2, port_of_database=self.port_of_database, user=getpass.getuser(),
                folder=self.folder, host=host))
        with open(self.conf, "w", encoding="utf-8") as text:
            text.write(CONF.format(host=host, user=getpass.getuser(), folder=self.folder, port=port,
                                   port_of_nodes=port + 1, first_port=port + 2, last_port=port + 1 + self.nodes,
                                   last=self.nodes - 1, **self.settings))
        self.environment = {**os.environ, "SLURM_CONF": self.conf, "PATH": PATH}
        self.key = os.path.join(self.folder, "munge.key")
        with open(os.open(self.key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as key:
            key.write(os.urandom(128))

    def _write(self, name, words):
        """Makes a file of the folder that none but this user may read."""
        with open(os.open(os.path.join(self.folder, name), os.O_CREAT | os.O_WRONLY, 0o600), "w") as text:
            text.write(words)

    def _daemon(self, *words):
        with open(os.path.join(self.folder, words[0] + ".out"), "ab") as out:
            self.daemons.append(subprocess.Popen(
                [shutil.which(words[0], path=PATH), *words[1:]], env=self.environment, cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, preexec_fn=self.in_each_daemon,
                start_new_session=True))

    def _start(self):
        within = lambda name: os.path.join(self.folder, name)
        self._daemon("munged", "--foreground", "--force", f"--key-file={self.key}",
                     f"--socket={within('munge.socket')}", f"--pid-file={within('munge.pid')}",
                     f"--log-file={within('munge.log')}", f"--seed-file={within('munge.seed')}")
        self._wait(lambda: os.path.exists(within("munge.socket")), "munged to listen", 30)
        if self.accounts:
            self._start_accounting()
        self._daemon("slurmctld", "-D", "-f", self.conf)
        for node in range(self.nodes):
            self._daemon("slurmd", "-D", "-f", self.conf, "-N", f"n{node}")
        self._wait(self._all_idle, f"{self.nodes} nodes to be idle", 120)

    def _start_accounting(self):
        data = os.path.join(self.folder, "database")
        of_database = ["--no-defaults", f"--datadir={data}", f"--tmpdir={self.folder}", f"--user={getpass.getuser()}"]
        self.call("mariadb-install-db", *of_database, "--auth-root-authentication-method=normal", "--skip-test-db")
        self._daemon("mariadbd", *of_database, f"--socket={self.folder}/database.socket", "--bind-address=127.0.0.1",
                     f"--port={self.port_of_database}", f"--pid-file={self.folder}/database.pid")
        self._wait(lambda: os.path.exists(os.path.join(self.folder, "database.socket")), "the database to listen", 60)
        self._daemon("slurmdbd", "-D")
        self._wait(lambda: self._answers("sacctmgr", "show", "cluster"), "slurmdbd to answer", 60)
        self.call("sacctmgr", "-i", "add", "cluster", "virt")
        for account in self.accounts:
            self.call("sacctmgr", "-i", "add", "account", account)
        self.call("sacctmgr", "-i", "add", "user", getpass.getuser(), "account=" + ",".join(self.accounts))
        for name, parameters in self.qos.items():
            self.call("sacctmgr", "-i", "add", "qos", name, *words_of_qos(parameters))
        if self.qos:
            self.call("sacctmgr", "-i", "modify", "user", getpass.getuser(), "set", "qos+=" + ",".join(self.qos))

    def _answers(self, *words):
        try:
            self.call(*words)
            return True
        except SlurmError:
            return False

    def _all_idle(self):
        try:
            return self.call("sinfo", "-h", "-N", "-o", "%N %T").split().count("idle") >= self.nodes
        except SlurmError:
            return False  # slurmctld does not answer yet

    def _wait(self, condition, what, seconds):
        end = time.monotonic() + seconds
        while not condition():
            self.check_daemons()
            if time.monotonic() > end:
                raise SlurmError(f"waited {seconds} s for {what}\n{self._end_of_logs()}")
            time.sleep(0.2)

    def _end_of_logs(self):
        names = sorted(name for name in os.listdir(self.folder) if name.endswith(".log"))
        return "\n".join(f"{name}: {line}" for name in names
                         for line in self.read(name).splitlines() if "error:" in line or "fatal:" in line)

    def _stop(self):
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.terminate()
        end = time.monotonic() + 10
        for daemon in self.daemons:
            try:
                daemon.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        # What daemons have left behind are children of this process by now.
        while True:
            rest = descendants(os.getpid())
            if not rest:
                break
            for pid in rest:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
            time.sleep(0.05)
        self.daemons = []
