#!/bin/bash
# Measures on a node what only the node can see, and prints JSON lines (lib/probe/line.ts). It changes no existing route, rule or file. While it tests, the
# kernel accepts VXLAN of the peers on PORT; packets that come out are counted and reach nobody. It uses only bash and the programs of the image calico/node
# (e2e/probe/testing/probe-tools.ts). scripts.ts puts the included files into it. Pods on the pod network have it without the lines from "begin host" to "end
# host"; where DSR is empty, pods of many nodes have it without those from "begin dsr" to "end dsr".
#
# WAY              host: measures everything. pod: only the API address and Services.
# RUN              A number from 1 to 65535, the same on all nodes. Names of devices and test addresses are made from it.
# ENDPOINT         HOST PORT of the API server, or empty.
# API_SERVICE      HOST PORT of the API's Service, or empty.
# DNS              HOST PORT of the cluster's DNS, or empty.
# QUESTION         NAME TYPE of the question to it. TYPE is a number.
# API_SERVERS      ADDRESS,PORT of each API server behind the API's Service.
# ADDRESSES        The address of each node from which Calico sends VXLAN, in an order that all nodes share.
# ADDRESSES_V6     The same for IPv6, where Calico sends between these too. "-": a node without one. May be empty.
# DSR              Not empty: also tests whether a packet with the address of another node gets through.
# STRIDES          A node tests with the nodes so many places before and after it in ADDRESSES.
# BRIDGES          PLACE,END,COLOUR,ADDRESS[,ADDRESS_V6] of a further node with which the node at this place in ADDRESSES tests. END is 0 on the first of the two
#                  nodes and 1 on the second. Neither has another bridge of this colour.
# PORT             UDP port of VXLAN.
# CGROUP           Where Calico mounts cgroup2 on the node.
# FLEXVOLUME       The folder that the agent's pod makes for FlexVolume, or empty.
# EMBEDDING        Names of programs that may run kube-proxy inside their own process.
# SECONDS_TO_LIVE  Time after which it stops testing although nobody deleted it.
set -u
export LC_ALL=C
: "${WAY:?}" "${RUN:?}" "${ENDPOINT?}" "${API_SERVERS?}" "${API_SERVICE?}" "${DNS?}" "${QUESTION?}" "${ADDRESSES?}" "${ADDRESSES_V6?}" "${STRIDES?}" "${BRIDGES?}" "${DSR?}" "${PORT:?}" "${CGROUP:?}" "${FLEXVOLUME?}" "${EMBEDDING?}" "${SECONDS_TO_LIVE:?}"

version=1
# begin host
# Kubernetes replaces two dollar signs by one, so that the usual variable for a process's number cannot be used.
self=$BASHPID
prefix=sbx$(printf %04x "$RUN")
# end host
made=()
space=
# Pipes of what is read and dialled at the same time.
pipes=()

# quote TEXT: a JSON string. Control characters become spaces.
quote() {
  local text=${1//[[:cntrl:]]/ }
  text=${text//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# tell PROBE FIELDS: prints a line. FIELDS is JSON already.
tell() { printf '{"v":%s,"probe":"%s"%s}\n' "$version" "$1" "${2:+,$2}"; }

# remove DEVICE...: removes all devices at once as one group (Linux 4.1; every image of calico/node has an iproute2 that can). One by one, the kernel waits for
# each device until nobody uses it any longer, and a pod that must end has only seconds. The group's number is large, because people use small ones; a process
# number has 22 bits (PID_MAX_LIMIT).
remove() {
  local device group=$((1 << 30 | (RUN & 255) << 22 | BASHPID))
  {
    for device; do echo "link set dev $device group $group"; done
    echo "link del group $group"
  } | ip -force -batch - 2>/dev/null
}

clean_up() {
  [ -z "$space" ] || ip netns del "$space" 2>/dev/null
  [ ${#made[@]} -eq 0 ] || remove "${made[@]}"
  made=() space=
}
trap clean_up EXIT
trap 'exit 0' TERM INT HUP

# Older releases' image has bash 4.4, which does not know EPOCHREALTIME.
milliseconds() { date +%s%3N; }

# begin host
# started PROCESS: the time of its start. With the number it identifies a process, because numbers are used again.
started() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  local -a field
  read -r -a field <<<"${stat##*) }"
  printf '%s' "${field[19]}"
}

# Removes the devices of a probe that was killed. Those of a probe that still runs stay.
remove_leftovers() {
  local path device alias pid start gone=()
  for path in /sys/class/net/sbx*; do
    [ -e "$path" ] || continue
    device=${path##*/}
    alias=
    { read -r alias <"$path/ifalias"; } 2>/dev/null
    read -r _ pid start <<<"$alias"
    case $alias in 'signalbox-probe '*) ;; *) continue ;; esac
    [ "$(started "$pid")" = "$start" ] || gone+=("$device")
  done
  [ ${#gone[@]} -eq 0 ] || remove "${gone[@]}"
}
# end host

node() {
  local boot kernel
  read -r boot </proc/sys/kernel/random/boot_id
  read -r kernel </proc/sys/kernel/osrelease
  tell node "\"boot\":$(quote "$boot"),\"kernel\":$(quote "$kernel")"
}

# include dns-message.sh

# include dials.sh

# tell_measured: prints the lines that were read and dialled so far. Fails while some are missing. Each source has a pipe of its own, because in a shared one a
# line that is too long for one write would have others in its middle. A line that has begun is read to its end, which is on its way. With a limit bash may take
# the line break and still say that the time is over: that line and the next one would be printed as one, which nobody can read.
tell_measured() {
  local place pipe line
  [ ${#pipes[@]} -gt 0 ] || return 0
  for place in "${!pipes[@]}"; do
    pipe=${pipes[place]}
    while read -r -t 0 -u "$pipe"; do
      read -r -u "$pipe" line || {
        unset "pipes[$place]"
        break
      }
      printf '%s\n' "$line"
    done
  done
  [ ${#pipes[@]} -eq 0 ] || return 1
  tell measured
}

# begin host
# include node-state.sh

# include service-proxy.sh

# begin dsr
# include foreign-sources.sh
# end dsr

# include vxlan.sh
# end host

node
# Runs beside all else, because a target that does not answer takes seconds.
exec {dialled}< <(endpoint)
pipes+=("$dialled")
# begin host
if [ "$WAY" = host ]; then
  exec {read_here}< <(mounts; links; proxy; features)
  pipes+=("$read_here")
  remove_leftovers
  vxlan
fi
# end host
until tell_measured; do sleep 0.1; done
# Kubernetes would restart a pod that ended, and it would measure again.
clean_up
while :; do sleep 1; done
