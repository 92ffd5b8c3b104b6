# Tests with other nodes whether VXLAN arrives, and in which size. Where DSR is not empty, foreign-sources.sh uses its functions and is used by it.

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
