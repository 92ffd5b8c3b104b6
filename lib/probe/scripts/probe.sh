#!/bin/bash
# Measures on a node what only the node can see, and prints JSON lines (lib/probe/line.ts). It changes no existing route, rule or file. While it tests, the
# kernel accepts VXLAN of the peers on PORT; packets that come out are counted and reach nobody. It uses only bash and the programs of the image calico/node
# (e2e/probe/testing/probe-tools.ts). Pods on the pod network have the script without the lines from "begin host" to "end host" (scripts.ts); where DSR is
# empty, pods of many nodes have it without those from "begin dsr" to "end dsr".
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

# hear_dns HOW SECONDS: writes the first bytes of the answer at descriptor 3. Over TCP the answer's length stands before it, and bash keeps no zeros of that
# either. Once the answer has begun, nothing waits for the rest. A program takes a datagram whole; before version 5 bash takes one byte and loses the rest.
hear_dns() {
  local header='' code answer program
  if [ "$1" = tcp ]; then
    IFS= read -r -d '' -n 1 -u 3 _ || return
    while [ -z "$header" ]; do IFS= read -r -d '' -n 5 -u 3 header || return; done
    [[ $header = SB* ]] || header=${header:1}
  else
    # Without `timeout`, which leaves its child behind when it is ended before it knows it.
    exec {answer}< <(exec cat <&3)
    program=$!
    # Reads up to a zero. Without a delimiter the bytes after the zero would take its place.
    IFS= read -r -d '' -n "$header_bytes" -t "$2" -u "$answer" header
    code=$?
    kill "$program" 2>/dev/null
    # The code of `timeout`. If some bytes have come, there is an answer.
    [ -n "$header" ] || return $((code > 128 ? 124 : code))
  fi
  printf '%s' "$header"
}
export -f hear_dns
export header_bytes

# In order of their codes (RFC 1035 §4.1.1). Higher codes have no name here.
dns_codes=(NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED)

# dial PROBE HOST PORT [udp|tcp QUESTION]: resolves the host with this pod's resolver and connects. It sends only the question, and waits for its answer, which
# must be a DNS answer that knows the name or says that there is none. It tries three times, because a pod's network may come a little after the pod. Over TCP the
# second try without an answer is the last one. The first may have had no answer because this node hardly came to it: its time includes the start of bash.
dial() {
  local probe=$1 host=$2 port=$3 how=${4-tcp} question=${5-} begin said try code seconds=5 limit=5 answer='' dns_code unanswered=0
  # Datagrams get lost: shorter waits, and all tries.
  [ "$how" = udp ] && seconds=2 limit=3
  for try in 1 2 3; do
    [ "$try" -eq 1 ] || sleep 2
    begin=$(milliseconds)
    # shellcheck disable=SC2016
    said=$(timeout "$limit" bash -c 'exec 3<>"/dev/$1/$2/$3" && { [ -z "$4" ] || { printf "$4" >&3 && hear_dns "$1" "$5"; }; }' bash "$how" "$host" "$port" "$question" "$seconds" 2>&1)
    code=$?
    if [ "$code" -eq 0 ] && [ -n "$question" ]; then
      judge_dns "$said"
      case $dns_code in
        none) code=1 said='the answer is not DNS' ;;
        0 | 3 | untold) ;;
        *) code=1 said="it answered ${dns_codes[dns_code]:-code $dns_code}" ;;
      esac
      [ "$dns_code" = untold ] || answer=",\"answer\":$(quote "${dns_codes[dns_code]:-}")"
    fi
    if [ "$code" -eq 0 ]; then
      tell "$probe" "\"host\":$(quote "$host"),\"port\":$(quote "$port"),\"ok\":true,\"ms\":$(($(milliseconds) - begin))$answer"
      return
    fi
    if [ "$code" -eq 124 ]; then
      said="no answer within $seconds seconds"
      unanswered=$((unanswered + 1))
      [ "$how" = udp ] || [ "$unanswered" -lt 2 ] || break
    fi
  done
  [ -n "$said" ] || said='it ended the connection without an answer'
  # The first line is "bash: connect: Connection refused", the second one names the file that was not opened.
  said=${said%%$'\n'*}
  said=${said##*: }
  tell "$probe" "\"host\":$(quote "$host"),\"port\":$(quote "$port"),\"ok\":false,\"because\":$(quote "$said")"
}

# addresses_of NAME: all addresses that this pod's resolver knows, of the families in which packets leave the node. The programs only print the nftables rules
# for the name, one line for each address, and create none.
addresses_of() {
  local family program line
  for family in '4 iptables' '6 ip6tables'; do
    program=${family#* }
    [ -n "$(ip "-${family% *}" route show default 2>/dev/null)" ] || continue
    while read -r line; do
      [[ $line =~ \ daddr\ ([0-9a-f.:]+)\  ]] && printf '%s\n' "${BASH_REMATCH[1]}"
    done < <(timeout 10 "$program-translate" -A OUTPUT -d "$1" 2>/dev/null)
  done
}

# Dials everything at once, because a target that does not answer takes seconds. Every address of a name is dialled, because a connection to a name succeeds
# with the first address that answers.
endpoint() {
  local host port address server
  local -a addresses
  read -r host port <<<"$API_SERVICE"
  [ -z "$host" ] || dial service-api "$host" "$port" &
  read -r host port <<<"$DNS"
  if [ -n "$host" ]; then
    local message message_tcp
    dns_message "${QUESTION% *}" "${QUESTION#* }"
    dial service-dns-udp "$host" "$port" udp "$message" &
    dial service-dns-tcp "$host" "$port" tcp "$message_tcp" &
  fi
  for server in $API_SERVERS; do dial api-server "${server%,*}" "${server##*,}" & done
  read -r host port <<<"$ENDPOINT"
  if [ -n "$host" ]; then
    dial endpoint "$host" "$port" &
    mapfile -t -n 16 addresses < <(addresses_of "$host")
    [ ${#addresses[@]} -gt 1 ] && for address in "${addresses[@]}"; do dial endpoint-address "$address" "$port" & done
  fi
  wait
}

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
# is_mounted TYPE PATH: whether a file system of this type is mounted at this path of the node itself.
is_mounted() {
  local type=$1 path=$2 line at rest
  while read -r line; do
    rest=${line##* - }
    read -r _ _ _ _ at _ <<<"$line"
    if [ "$at" = "$path" ] && [ "${rest%% *}" = "$type" ]; then
      printf true
      return
    fi
  done </proc/1/mountinfo
  printf false
}

knows_file_system() {
  local name
  while read -r _ name; do [ "$name" = "$1" ] && printf true && return; done < <(sed 's/^\t/nodev\t/' /proc/filesystems)
  printf false
}

# is_writable PATH: whether Calico can make this folder for cgroup2 or FlexVolume, which means that the nearest existing folder is writable.
is_writable() {
  local path=$1
  while [ ! -d "/proc/1/root$path" ]; do path=${path%/*}; done
  if [ -w "/proc/1/root$path/" ]; then printf true; else printf false; fi
}

mounts() {
  local flexvolume=null
  [ -z "$FLEXVOLUME" ] || flexvolume="{\"writable\":$(is_writable "$FLEXVOLUME"),\"path\":$(quote "$FLEXVOLUME")}"
  tell mounts "\"flexvolume\":$flexvolume,\"bpffs\":{\"known\":$(knows_file_system bpf),\"mounted\":$(is_mounted bpf /sys/fs/bpf)},\"cgroup\":{\"known\":$(knows_file_system cgroup2),\"mounted\":$(is_mounted cgroup2 "$CGROUP"),\"writable\":$(is_writable "${CGROUP%/*}"),\"path\":$(quote "$CGROUP")}"
}

# Prints the links, except those of pods, and the default routes. Links with the node's address or a default route come first, with the links below and above
# them. The others may be pods' links with another plugin's names, so that no more than 64 links are printed in all.
links() {
  local -A known=()
  local -a way=() others=()
  local path name address line driver index=0 left=0
  while read -r _ name _ address _; do
    [[ " $ADDRESSES " = *" ${address%/*} "* ]] && way+=("$name")
  done < <(ip -o addr show)
  while read -r line; do
    [[ $line =~ \ dev\ ([^ ]+) ]] && way+=("${BASH_REMATCH[1]}")
  done < <(ip -o route show default; ip -o -6 route show default)
  while [ $index -lt ${#way[@]} ]; do
    for path in "/sys/class/net/${way[index]}"/lower_*; do [ -e "$path" ] && way+=("${path##*/lower_}"); done
    index=$((index + 1))
    [ $index -gt 256 ] && break
  done
  for name in "${way[@]}"; do
    for path in "/sys/class/net/$name"/upper_*; do [ -e "$path" ] && way+=("${path##*/upper_}"); done
  done
  for path in /sys/class/net/*; do
    name=${path##*/}
    case $name in lo | cali* | sbx*) continue ;; esac
    [ -d "$path" ] && others+=("$name")
  done
  for name in "${way[@]}" "${others[@]}"; do
    case $name in lo | cali* | sbx*) continue ;; esac
    [ -z "${known[$name]-}" ] || continue
    if [ ${#known[@]} -ge 64 ]; then
      left=$((left + 1))
      continue
    fi
    known[$name]=1
    driver=$(readlink "/sys/class/net/$name/device/driver" 2>/dev/null)
    tell link "\"driver\":$(quote "${driver##*/}"),\"data\":$(ip -j -d addr show dev "$name" 2>/dev/null || printf '[]')"
  done
  [ $left -gt 0 ] && tell links-left "\"count\":$left"
  tell routes "\"data\":$(ip -j route show default 2>/dev/null || printf '[]')"
}

features() {
  local jit=null btf=false absent=() line
  { read -r jit </proc/sys/net/core/bpf_jit_enable; } 2>/dev/null
  [ -r /sys/kernel/btf/vmlinux ] && btf=true
  local have=() kind name is said exit
  said=$(timeout 60 bpftool feature probe kernel 2>/dev/null)
  exit=$?
  while read -r _ kind name is line; do
    [ "$kind" = program_type ] || [ "$kind" = map_type ] || continue
    if [ "$is" = is ] && [ "$line" = available ]; then have+=("\"$name\""); else absent+=("\"$name\""); fi
  done <<<"$said"
  local lockdown=null memory=null
  # "none [integrity] confidentiality": the active mode stands in brackets.
  { read -r line </sys/kernel/security/lockdown && [[ $line =~ \[([a-z]+)\] ]] && lockdown="\"${BASH_REMATCH[1]}\""; } 2>/dev/null
  while read -r name line _; do [ "$name" = MemAvailable: ] && memory=$line && break; done </proc/meminfo
  local IFS=,
  tell features "\"exit\":$exit,\"jit\":$jit,\"btf\":$btf,\"lockdown\":$lockdown,\"memoryKb\":$memory,\"available\":[${have[*]-}],\"missing\":[${absent[*]-}]"
}

# Whether a service proxy's rules exist, of IPv4 or IPv6: the list of its chain then has a further line for each Service. The older iptables is asked only where
# its tables are in use, because asking would load them.
has_proxy_rules() {
  local program
  for program in iptables-nft iptables-legacy ip6tables-nft ip6tables-legacy; do
    [ "$program" != "${program%-legacy}" ] && ! grep -qx nat "/proc/net/${program%tables-legacy}_tables_names" 2>/dev/null && continue
    timeout 20 "$program" -t nat -S KUBE-SERVICES 2>/dev/null | {
      read -r _ && read -r _
    } && printf true && return
  done
  printf false
}

# The mode that kube-proxy reports at its port for metrics, whatever process it is part of. Without `nft` nothing else shows the mode nftables. Another
# service's answer does not count. (kubernetes cmd/kube-proxy/app/server.go: /proxyMode, 10249)
proxy_mode() {
  local said
  # shellcheck disable=SC2016
  said=$(timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/10249 && printf "GET /proxyMode HTTP/1.0\r\n\r\n" >&3 && read -r -d "" -n 2000 -u 3 said; printf %s "$said"' 2>/dev/null)
  case ${said##*$'\n'} in iptables | ipvs | nftables) quote "${said##*$'\n'}" ;; *) printf null ;; esac
}

# mode_set PROCESS: the mode in its command, or in the file that the command names, which then counts alone. The file is read inside the process's container.
mode_set() {
  local word flag='' file='' before=''
  while IFS= read -r -d '' word; do
    case $before in --proxy-mode) flag=$word ;; --config) file=$word ;; esac
    case $word in --proxy-mode=*) flag=${word#*=} ;; --config=*) file=${word#*=} ;; esac
    before=$word
  done 2>/dev/null <"$1/cmdline"
  if [ -n "$file" ]; then
    [ -f "$1/root$file" ] || return
    flag=$(timeout 5 grep -m 1 '^mode:' "$1/root$file" 2>/dev/null)
    flag=${flag#mode:}
    flag=${flag//[\"\' ]/}
  fi
  printf '%s' "${flag:0:40}"
}

# Prints what serves Services: processes of kube-proxy with their control group, which tells a pod from a service of the system; processes that may contain
# kube-proxy; its rules; what IPVS leaves; and the owner of the port at which load balancers ask for a service proxy's health (10256, in hexadecimal as the
# kernel lists it).
proxy() {
  local path name line group program device=false services owner=null inode found
  local -a processes=() embedding=()
  for path in /proc/[0-9]*; do
    { read -r name <"$path/comm"; } 2>/dev/null || continue
    for program in $EMBEDDING; do
      case $name in "$program" | "$program"-*) [ ${#embedding[@]} -lt 8 ] && embedding+=("$(quote "$name")") ;; esac
    done
    [ "$name" = kube-proxy ] || continue
    group=
    # cgroup2 has one line. In the older version the last line that counts is systemd's own, where systemd runs.
    while IFS= read -r line; do case $line in 0::* | *:name=systemd:*) group=${line#*:*:} ;; esac; done 2>/dev/null <"$path/cgroup"
    [ ${#processes[@]} -lt 8 ] && processes+=("{\"group\":$(quote "${group: -300}"),\"mode\":$(quote "$(mode_set "$path")")}")
  done
  [ -e /sys/class/net/kube-ipvs0 ] && device=true
  services=$(grep -c -E '^(TCP|UDP|SCTP|FWM) ' /proc/net/ip_vs 2>/dev/null)
  while read -r _ line _ _ _ _ _ _ _ inode _; do
    found=$(find /proc/[0-9]*/fd -lname "socket:\[$inode\]" 2>/dev/null | sed -n 1p)
    # The name of its file, because a process can choose its own name.
    name=
    [ -z "$found" ] || name=$(readlink "${found%/fd/*}/exe" 2>/dev/null)
    name=${name% (deleted)}
    name=${name##*/}
    owner=$(quote "${name:0:60}")
  done < <(grep -h '^ *[0-9]*: [0-9A-F]*:2810 [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  local IFS=,
  tell proxy "\"processes\":[${processes[*]-}],\"embedding\":[${embedding[*]-}],\"rules\":$(has_proxy_rules),\"mode\":$(proxy_mode),\"ipvs\":$device,\"ipvsServices\":${services:-0},\"healthPort\":$owner"
}

# own_place ADDRESSES: the place in the list that has one of this node's addresses.
own_place() {
  local address place=0
  local -A own=()
  while read -r _ _ _ address _; do own[${address%/*}]=1; done < <(ip -o addr show)
  for address in $1; do
    [ -n "${own[$address]-}" ] && printf '%s' "$place" && return
    place=$((place + 1))
  done
}

mtu_towards() {
  local route device mtu
  route=$(ip -o route get "$1" 2>/dev/null) || return 1
  [[ $route =~ \ dev\ ([^ ]+) ]] || return 1
  device=${BASH_REMATCH[1]}
  if [[ $route =~ \ mtu\ ([0-9]+) ]]; then mtu=${BASH_REMATCH[1]}; else read -r mtu <"/sys/class/net/$device/mtu"; fi
  printf '%s' "$mtu"
}

# test_address PLACE LIST: the test address of the node at this place of an address list (0 or 1). All nodes compute each other's.
test_address() { printf '198.%s.%s.%s' "$((18 + $2))" "$(((RUN & 127) << 1 | $1 >> 8))" "$(($1 & 255))"; }
test_hardware() { printf '02:00:5b:%02x:%02x:%02x' "$((RUN & 255))" "$(($1 >> 8))" "$(($1 & 255))"; }
number_of() {
  local -a part
  IFS=. read -r -a part <<<"$1"
  printf '%s' "$(((part[0] << 24) + (part[1] << 16) + (part[2] << 8) + part[3]))"
}

# guard DEVICE THEIRS MINE: filters what comes out of a tunnel, because anybody who can send to the port could send through it. Only packets between the two
# test addresses reach the node's network stack, and of these only datagrams to port 9, at which nobody listens, further fragments, and the errors that answer
# them (ICMP 3). The filter is classic BPF in iproute2's form, with offsets from the Ethernet frame; 0 accepts and 2 drops.
guard() {
  local from to
  from=$(number_of "$2")
  to=$(number_of "$3")
  printf '%s\n' "qdisc add dev $1 clsact" "filter add dev $1 ingress bpf da bytecode \"19,40 0 0 12,21 0 16 2048,48 0 0 14,21 0 14 69,32 0 0 26,21 0 12 $from,32 0 0 30,21 0 10 $to,48 0 0 23,21 0 2 1,48 0 0 34,21 5 6 3,21 0 5 17,40 0 0 20,69 2 0 8191,40 0 0 36,21 0 1 9,6 0 0 0,6 0 0 2\"" | tc -batch -
}

# The VXLAN device of eBPF mode has the whole port for itself, because it has no VNI of its own. No other device can share the port.
flow_based() {
  local line
  while read -r line; do
    [[ $line =~ ^[0-9]+:\ ([^:@]+) ]] || continue
    [[ $line = *' external '* && $line = *" dstport $PORT "* ]] && printf '%s' "${BASH_REMATCH[1]}" && return
  done < <(ip -o -d link show type vxlan 2>/dev/null)
}

# add_tunnel OWN PEER NUMBER SUFFIX PLACE PEERPLACE LIST: makes a point-to-point tunnel on Calico's own port, beside vxlan.calico. Without a guard there is no
# tunnel. `df set`: no router may fragment its packets, as with Calico's own. `lock`: nor may this kernel, once a router has reported a smaller MTU.
add_tunnel() {
  local own=$1 peer=$2 number=$3 device=$prefix-$4 mtu said target mine
  if ! mtu=$(mtu_towards "$peer"); then
    tell vxlan-not "\"peer\":\"$peer\",\"lacks\":\"route\",\"because\":\"no route leads there\""
    return 1
  fi
  # The outer header of IPv6 is 20 bytes longer, and no router fragments IPv6.
  local -a whole=(df set)
  case $peer in *:*) mtu=$((mtu - 20)) whole=(udp6zerocsumrx) ;; esac
  mtu=$((mtu - 50))
  mine=$(test_address "$5" "$7")
  target=$(test_address "$6" "$7")
  said=$(ip link add "$device" type vxlan id "$number" local "$own" remote "$peer" dstport "$PORT" nolearning "${whole[@]}" 2>&1) || {
    tell vxlan-not "\"peer\":\"$peer\",\"because\":$(quote "$said")"
    return 1
  }
  made+=("$device")
  if ! said=$(guard "$device" "$target" "$mine" 2>&1); then
    ip link del "$device" 2>/dev/null
    tell vxlan-not "\"peer\":\"$peer\",\"because\":$(quote "its kernel takes no filter for the test${said:+: ${said:0:200}}")"
    return 1
  fi
  # One process for all commands. It ends at the first that fails.
  if ! ip -batch - 2>/dev/null <<END; then
link set dev $device address $(test_hardware "$5") alias "$alias" mtu $mtu addrgenmode none up
addr add $mine/32 dev $device scope link
route add $target/32 dev $device src $mine mtu lock $mtu
neigh replace $target lladdr $(test_hardware "$6") dev $device nud permanent
END
    tell vxlan-not "\"peer\":\"$peer\",\"because\":\"no route for the test\""
    return 1
  fi
  local offloaded software
  # The sockets stay open, because the refusal of a datagram is reported at the socket's next write.
  if ! { exec {offloaded}<>"/dev/udp/$target/9" {software}<>"/dev/udp/$target/9"; } 2>/dev/null; then
    tell vxlan-not "\"peer\":\"$peer\",\"because\":\"no socket for the test\""
    return 1
  fi
  tunnels+=("$device $peer $target $((mtu - 28)) $offloaded $software")
}

small='signalbox probe.'

# is_refused ERROR: the peer refused. A firewall of this node gives another error.
is_refused() { [[ $1 = *'Connection refused'* ]]; }

# Prints whether the peer's stack took a datagram and answered that nobody listens. The checksum of a datagram that fits into one packet is left to the network
# card (offload). The checksum of a larger one is computed by this kernel, which sends it in two fragments, the second of full size; the first is up to seven
# bytes shorter, because its length is a multiple of eight. Where only larger ones are answered, time after time, the card spoils checksums, and yet packets of
# full size arrive. Where neither is answered, a firewall may drop what comes out of the tunnel.
answers() {
  local before=${answered[$peer]-0}
  [ "$before" = told ] && return
  if is_refused "$( { printf '%s' "$small" >&"$offloaded"; } 2>&1)"; then
    answered[$peer]=told
    tell vxlan-answer "\"peer\":\"$peer\",\"sums\":\"offloaded\""
    return
  fi
  if [ "$before" -gt 0 ]; then
    answered[$peer]=$((before + 1))
    [ "$before" -lt 12 ] && return
    answered[$peer]=told
    tell vxlan-answer "\"peer\":\"$peer\",\"sums\":\"software\""
  elif quoting[$peer]=$((${quoting[$peer]-0} + 1)) && is_refused "$( { cat >&"$software" <<<"$full$rest"; } 2>&1)"; then
    answered[$peer]=1
  fi
}

# The alias that marks a device as this probe's.
mine() { printf 'signalbox-probe %s %s' "$self" "$(started "$self")"; }

# begin dsr
# router_towards ADDRESS: ROUTER DEVICE of the first router on the way. Fails for an address without a router before it.
router_towards() {
  [[ $(ip -o route get "$1" 2>/dev/null) =~ \ via\ ([^ ]+)\ dev\ ([^ ]+) ]] && printf '%s %s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
}

# expect_foreign OWN PEER NUMBER DEVICE: makes a device that counts what the peer sends with another node's address. Nothing of it reaches the network stack.
expect_foreign() {
  local own=$1 peer=$2 number=$3 device=$4
  ip link add "$device" type vxlan id "$number" local "$own" dstport "$PORT" nolearning 2>/dev/null || return 1
  made+=("$device")
  tc qdisc add dev "$device" clsact 2>/dev/null && tc filter add dev "$device" ingress bpf da bytecode '1,6 0 0 2' 2>/dev/null &&
    ip link set dev "$device" address 02:00:5b:ff:ff:ff alias "$alias" addrgenmode none up 2>/dev/null && return
  # Without the filter anybody could send through the device.
  ip link del "$device" 2>/dev/null
  return 1
}

# impersonate OWN PEER FOREIGN NUMBER: makes a network namespace with the address of a third node, as a node's answer has with DSR. Its packets leave through
# this node's interface, past the node's routes and firewall, which stay unchanged. Fails with 1 while the router's hardware address is not known, and with 2
# for good.
impersonate() {
  local own=$1 peer=$2 foreign=$3 number=$4 way device hardware said own_hardware
  way=$(router_towards "$peer") || return 1
  device=${way#* }
  [[ $(ip neigh show "${way% *}" dev "$device" 2>/dev/null) =~ lladdr\ ([^ ]+) ]] || return 1
  hardware=${BASH_REMATCH[1]}
  read -r own_hardware <"/sys/class/net/$device/address"
  made+=("$prefix-dsr")
  space=$prefix-$own
  if ! said=$({
    ip netns add "$space" &&
      ip link add "$prefix-dsr" type veth peer name out address "$own_hardware" netns "$space" &&
      ip link set dev "$prefix-dsr" alias "$alias" addrgenmode none up &&
      tc qdisc add dev "$prefix-dsr" clsact &&
      tc filter add dev "$prefix-dsr" ingress bpf bytecode '1,6 0 0 4294967295' flowid 1:1 action mirred egress redirect dev "$device" &&
      ip -n "$space" link set dev out addrgenmode none up &&
      ip -n "$space" addr add "$foreign/32" dev out &&
      ip -n "$space" route add "$peer/32" dev out src "$foreign" &&
      ip -n "$space" neigh replace "$peer" lladdr "$hardware" dev out nud permanent &&
      ip -n "$space" link add foreign type vxlan id "$number" local "$foreign" remote "$peer" dstport "$PORT" nolearning noudpcsum &&
      ip -n "$space" link set dev foreign addrgenmode none up &&
      ip -n "$space" addr add 192.0.2.1/32 dev foreign &&
      ip -n "$space" route add 192.0.2.2/32 dev foreign src 192.0.2.1 &&
      ip -n "$space" neigh replace 192.0.2.2 lladdr 02:00:5b:00:00:01 dev foreign nud permanent
  } 2>&1); then
    tell dsr-not "\"because\":$(quote "${said:-its kernel refuses}")"
    return 2
  fi
}

# send_foreign OWN PEER FOREIGN NUMBER: sends a packet, and prints once that it sends, or why it never will; in that case it fails.
send_foreign() {
  local peer=$2 foreign=$3 said
  if [ -z "$space" ]; then
    impersonate "$@"
    case $? in
      0) ;;
      2) return 1 ;;
      *)
        turns=$((turns + 1))
        [ "$turns" -lt 30 ] && return
        tell dsr-not '"because":"the hardware address of its router is not known"'
        return 1
        ;;
    esac
  fi
  if said=$(ip netns exec "$space" bash -c 'printf . >/dev/udp/192.0.2.2/9' 2>&1); then
    [ "$turns" = sent ] || tell dsr-sending "\"peer\":\"$peer\",\"as\":\"$foreign\""
    turns=sent
  elif [ "$turns" != sent ]; then
    tell dsr-not "\"because\":$(quote "${said:-it could not send}")"
    return 1
  fi
}
# end dsr

# add_tunnels ADDRESSES LIST: makes the tunnels to all nodes with which this node tests, from its address in this list (0 or 1).
add_tunnels() {
  local -a addresses
  read -r -a addresses <<<"$1"
  local list=$2 count=${#addresses[@]} own stride step other
  own=$(own_place "$1")
  local kinds=${#strides[@]} first_number
  # A range of numbers for the pairs of each list, and one for packets with another node's address.
  first_number=$(((RUN << 8) % (16711680 - count * (2 * kinds + 1)) + 65536 + list * count * (kinds + 1)))
  [ "$list" -eq 1 ] || foreign_number=$((first_number + count * kinds))
  for step in "${!strides[@]}"; do
    stride=${strides[step]}
    # Both ends use the same number: that of the node from which the stride is counted.
    for other in "$(((own + stride) % count)) $own" "$(((own - stride + count) % count)) $(((own - stride + count) % count))"; do
      local peer=${other% *} first=${other#* }
      [ "$peer" = "$own" ] || [ "${addresses[peer]}" = - ] && continue
      # A stride of half the circle leads to the same node in both directions.
      [ $((stride * 2)) -eq "$count" ] && [ "$first" -ge "$stride" ] && continue
      add_tunnel "${addresses[own]}" "${addresses[peer]}" $((first_number + first * kinds + step)) "$place" "$own" "$peer" "$list"
      place=$((place + 1))
      [[ -z $DSR || ${addresses[own]} = *:* ]] && continue
      expect_foreign "${addresses[own]}" "${addresses[peer]}" $((foreign_number + peer)) "$prefix-r$peer" && {
        heard+=("$peer")
        listening+="${listening:+,}\"${addresses[peer]}\""
      }
      router_towards "${addresses[peer]}" >/dev/null && far+=("$peer")
    done
  done
}

# add_bridges PLACE ADDRESS ADDRESS_V6: makes the tunnels to nodes of other groups. Numbers and test addresses lie outside those of groups, which have at most
# 256 places.
add_bridges() {
  local one end colour list mine theirs peer peer_v6
  for one in $BRIDGES; do
    # BRIDGES has thousands of entries of other nodes.
    case $one in "$1",*) ;; *) continue ;; esac
    IFS=, read -r _ end colour peer peer_v6 <<<"$one"
    for list in 0 1; do
      mine=$2 theirs=$peer
      [ "$list" -eq 0 ] || mine=$3 theirs=$peer_v6
      case ,$mine,$theirs, in *,-,* | *,,*) continue ;; esac
      add_tunnel "$mine" "$theirs" $((8192 + (RUN & 127) * 256 + list * 128 + colour)) "$place" $((256 + 2 * colour + end)) $((257 + 2 * colour - end)) "$list"
      place=$((place + 1))
    done
  done
}

# Tests until it is ended, because peers start when their pods do. Prints each first arrival at once.
vxlan() {
  local -a addresses addresses_v6 tunnels=() strides
  read -r -a addresses <<<"$ADDRESSES"
  read -r -a strides <<<"$STRIDES"
  local own owner alias place=0 foreign_number=0 far=() heard=() listening=''
  alias=$(mine)
  owner=$(flow_based)
  if [ -n "$owner" ]; then
    tell vxlan-not "\"because\":$(quote "$owner has UDP port $PORT for itself, as in eBPF mode: Calico's own packets between nodes pass there, or its agents and Services tell that they do not")"
    return
  fi
  own=$(own_place "$ADDRESSES")
  if [ -z "$own" ]; then
    tell vxlan-not '"because":"no address of this node is among those of the nodes"'
    return
  fi
  add_tunnels "$ADDRESSES" 0
  # Has the same order as ADDRESSES.
  read -r -a addresses_v6 <<<"$ADDRESSES_V6"
  local own_v6=${addresses_v6[own]:--}
  if [ "$own_v6" != - ]; then
    if [ -n "$(own_place "$ADDRESSES_V6")" ]; then
      add_tunnels "$ADDRESSES_V6" 1
    else
      tell vxlan-not "\"peer\":\"$own_v6\",\"because\":\"no interface has its address $own_v6\""
    fi
  fi
  add_bridges "$own" "${addresses[own]}" "$own_v6"
  tell vxlan-sending "\"tunnels\":${#tunnels[@]}"
  [ -z "$DSR" ] || tell dsr-listening "\"peers\":[$listening]"
  local third='' from='' seen=' ' turns=0 rounds=0
  if [ -n "$DSR" ] && [ ${#far[@]} -eq 0 ]; then
    tell dsr-not '"because":"no router stands between it and another node that it tests with"'
  elif [ -n "$DSR" ]; then
    for third in "${addresses[@]}"; do
      case $third in "${addresses[own]}" | "${addresses[far[0]]}" | - | *:*) third= ;; *) break ;; esac
    done
    [ -n "$third" ] || tell dsr-not '"because":"there is no third node whose address it could send with"'
  fi
  local -A told=() answered=() quoting=()
  local tunnel device peer target size packets bytes state offloaded software rest full=
  while :; do
    for tunnel in "${tunnels[@]}"; do
      read -r device peer target size offloaded software <<<"$tunnel"
      [ ${#full} -eq "$size" ] || {
        printf -v full '%*s' "$size" ''
        # The here-string adds a line break.
        printf -v rest '%*s' $((((size + 8) & ~7) - 1)) ''
      }
      { printf '%s' "$small" >"/dev/udp/$target/9"; } 2>/dev/null
      answers
      # A program writes it, because bash writes at most 4096 bytes at once. The guard drops packets to this port. Otherwise the peer's refusal would return up
      # to 576 bytes of each packet, and those frames would count too.
      { cat >"/dev/udp/$target/10" <<<"${full:1}"; } 2>/dev/null
      { read -r packets <"/sys/class/net/$device/statistics/rx_packets" && read -r bytes <"/sys/class/net/$device/statistics/rx_bytes"; } 2>/dev/null || continue
      state=none
      [ "$packets" -gt 0 ] && state=small
      # Only frames of full size are longer than 200 bytes, except a refusal of 590 bytes for each large datagram that this node sent.
      [ "$bytes" -gt $((packets * 200 + ${quoting[$peer]-0} * 600)) ] && state=full
      # One arrival of full size is enough. Later packets may be small again.
      [ "${told[$peer]-none}" = "$state" ] || [ "${told[$peer]-}" = full ] || {
        told[$peer]=$state
        tell vxlan "\"peer\":\"$peer\",\"arrives\":\"$state\""
      }
    done
    for from in "${heard[@]}"; do
      { read -r packets <"/sys/class/net/$prefix-r$from/statistics/rx_packets"; } 2>/dev/null || continue
      [[ $packets -eq 0 || $seen = *" $from "* ]] && continue
      seen+="$from "
      tell dsr "\"peer\":\"${addresses[from]}\""
    done
    tell_measured
    [ -z "$third" ] || send_foreign "$own" "${addresses[far[0]]}" "$third" $((foreign_number + own)) || third=
    rounds=$((rounds + 1))
    [ $((rounds % 10)) -ne 0 ] || tell vxlan-rounds "\"rounds\":$rounds"
    [ "$SECONDS" -ge "$SECONDS_TO_LIVE" ] && return
    sleep 0.3
  done
}
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
