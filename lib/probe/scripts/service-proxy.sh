# Prints what serves Services on the node.

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
