# Dials the API server, its Service and the cluster's DNS. Needs dns-message.sh.

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
