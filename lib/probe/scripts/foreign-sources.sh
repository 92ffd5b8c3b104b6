# Sends and expects packets with the address of a third node, as DSR does.

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
