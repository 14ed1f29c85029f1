#!/usr/bin/env bash
# slurm.sh DIR NODES starts a Slurm controller and NODES compute daemons on this host, on the loopback interface. The
# packages of Debian are unpacked into DIR: nothing is installed, and munge, systemd and cgroups are not needed. The
# file DIR/env sets what the commands of Slurm need. DIR/run has the process ids.
set -euo pipefail
dir=$(realpath -m "$1") nodes=${2:-3}
mkdir -p "$dir"/{debs,root,run,state,spool,log}
packages=(libhwloc15 liblua5.1-0 libmunge2 slurm-wlm-basic-plugins slurm-client slurmctld slurmd)
if [ ! -e "$dir/root/usr/sbin/slurmd-wlm" ]; then
	cd "$dir/debs"
	apt-get download -qq "${packages[@]}" > "$dir/log/download" 2>&1 ||
		{ echo "the packages of Slurm cannot be downloaded: $(tail -n 1 "$dir/log/download")" >&2; exit 3; }
	for package in *.deb; do dpkg -x "$package" ../root; done
fi
lib=$dir/root/usr/lib/$(uname -m)-linux-gnu
export LD_LIBRARY_PATH=$lib:$lib/slurm-wlm SLURM_CONF=$dir/slurm.conf
export PATH=$dir/root/usr/bin:$dir/root/usr/sbin:$PATH
port=$((17000 + RANDOM % 1000 * 10)) host=$(hostname)
{
	cat <<END
ClusterName=roclua
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
PluginDir=$lib/slurm-wlm
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=100000
MpiDefault=none
ReturnToService=2
KillWait=3
MinJobAge=300
JobRequeue=1
SlurmdParameters=config_overrides
SlurmdTimeout=10
END
	for i in $(seq "$nodes"); do
		echo "NodeName=node$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=2 RealMemory=1000"
	done
	echo "PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP"
} > "$dir/slurm.conf"
printf 'export LD_LIBRARY_PATH=%q SLURM_CONF=%q PATH=%q:$PATH\n' "$LD_LIBRARY_PATH" "$SLURM_CONF" \
	"$dir/root/usr/bin" > "$dir/env"
slurmctld-wlm -c > "$dir/log/slurmctld.out" 2>&1
for i in $(seq "$nodes"); do
	mkdir -p "$dir/spool/node$i"
	slurmd-wlm -N "node$i" -d "$dir/root/usr/sbin/slurmstepd-wlm" > "$dir/log/slurmd-$i.out" 2>&1
done
for _ in $(seq 300); do
	[ "$(sinfo -h -t idle -o %D 2> /dev/null)" = "$nodes" ] && exit 0
	sleep 0.1
done
echo "the nodes do not become idle; see $dir/log" >&2
exit 1
