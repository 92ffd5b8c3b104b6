# Prints what the node has: its mounts and links, and the features of its kernel.

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
