#!/bin/bash
# Asks services over and over on a node while a run changes the node's data plane, and prints one JSON line a second (lib/probe/watch/watch-line.ts). It changes
# nothing, listens nowhere, and uses only bash and the programs of the image calico/node (e2e/probe/testing/probe-tools.ts).
#
# INTERVAL         Milliseconds from one question to the next.
# API              HOST PORT of the API's Service. The question is whether a TCP connection is made; nothing is sent.
# DNS              HOST PORT of the cluster's DNS, asked over UDP and TCP. Empty: not asked. Any DNS answer counts until one knows the name or says that there is
#                  none; from then on only such answers count.
# QUESTION         NAME TYPE of the question to it. TYPE is a number.
# NODE_PORT        A port that every node has, asked on the next node in ADDRESSES. Empty: not asked.
# ADDRESSES        Addresses of the nodes, of the family that the Service with this port has, in an order that all nodes share. "-": a node without one.
# SECONDS_TO_LIVE  Time after which it stops asking although nobody deleted it.
set -u
export LC_ALL=C
: "${INTERVAL:?}" "${API:?}" "${DNS?}" "${QUESTION?}" "${NODE_PORT?}" "${ADDRESSES?}" "${SECONDS_TO_LIVE:?}"

version=1
# Milliseconds without an answer that count as none: two questions, because a gap is known to this precision.
limit=$((INTERVAL * 2))
# Milliseconds between looks at unanswered questions.
tick=$((INTERVAL / 2))
# Milliseconds after which a worker hangs that has not even reported a missing answer.
hangs_after=$((limit + 2000))

# Milliseconds of the boot clock, to 10 ms. Nobody sets this clock, and reading it starts no program.
now() {
  local up
  read -r up _ </proc/uptime
  ms=$((10#${up/./} * 10))
}

# Older releases' image has bash 4.4, which does not know EPOCHREALTIME.
wall() { if [ -n "${EPOCHREALTIME-}" ]; then told_wall=$((10#${EPOCHREALTIME/./} / 1000)); else told_wall=$(date +%s%3N); fi; }

seconds_of() { printf -v "$1" '%d.%03d' $(($2 / 1000)) $(($2 % 1000)); }

# include dns-message.sh

# Before version 5 bash takes a datagram byte by byte and loses the rest, so that only the arrival of an answer is known. A program that takes it whole, as in
# probe.sh, would be started twenty times a second. For answers over TCP the code is known all the same.
((BASH_VERSINFO[0] >= 5)) || header_bytes=1

# Pipe 8 has what workers report. Nothing ever comes on pipe 9: reading it sleeps without starting a program. Standard output goes to pipe 8, so that workers
# need no redirection for each report; the log is 7.
exec 7>&1 8<> <(:) 9<> <(:)
exec >&8

# Reads an answer that was in time although bash saw the timeout first. A shell that gets no core until its timeout is over sees the timeout before the answer;
# or bash has kept the answer's rest, and would give it to the next read. An answer with a zero in its first bytes gives no more.
hear_late() {
  local rest='' had=${#header}
  (($1 > 128)) || return "$1"
  IFS= read -r -N $((header_bytes - had)) -t 0.001 -u 3 rest
  header+=$rest
  [ -n "$header" ] || return "$1"
  ((had > 2)) || is_late=1
}

# worker PLACE HOW HOST PORT: asks one service as long as the watch lives. For a question that was answered in time after another such one it reports only its
# place in `kinds`; for any other PLACE:ANSWER:LATE:BEGIN. So there is little to read. ANSWER is 1, 0, or "-" where the missing answer says nothing about the
# service: this shell had no core for so long that it asked too late, or would have heard too late. A service that had half of the limit to answer had its
# chance.
#
# All work of a question stands in the loop itself and calls no function, because bash copies functions at each call. No program is started either. Files: the
# boot clock as in `now`, and the nanoseconds for which this shell wanted a core and had none (proc(5) › /proc/pid/schedstat; 0 on a kernel that does not count
# them). A question whose code is above 128 had no answer in time. A connection that hangs ends by the signal, because bash has no other way.
worker() {
  local place=$1 how=$2 host=$3 port=$4 begin before=0 is_late=0 ms message message_tcp patience pause answered code header right='' dns_code fine=0 interrupted=0 waited=0 waited_before=0
  trap 'interrupted=1' USR1
  trap - EXIT TERM
  exec 2>/dev/null
  dns_message "${QUESTION% *}" "${QUESTION#* }"
  seconds_of patience "$limit"
  seconds_of pause "$INTERVAL"
  while :; do
    read -r _ waited_before _ </proc/self/schedstat
    read -r begin _ </proc/uptime
    # Late: the last question took too long. Otherwise a question comes every INTERVAL.
    ((begin = 10#${begin/./} * 10, is_late = before > 0 && begin - before > 2 * INTERVAL, interrupted = 0))
    header=
    # shellcheck disable=SC2059
    case $how in
      connect) { :; } 3<>"/dev/tcp/$host/$port" ;;
      dns-udp) { printf "$message" >&3 && { IFS= read -r -N "$header_bytes" -t "$patience" -u 3 header || hear_late $?; }; } 3<>"/dev/udp/$host/$port" ;;
      dns-tcp) { printf "$message_tcp" >&3 && { { IFS= read -r -d '' -n 1 -t "$patience" -u 3 _ && IFS= read -r -d '' -n 5 -t "$patience" -u 3 header; } || hear_late $?; }; } 3<>"/dev/tcp/$host/$port" ;;
    esac
    code=$?
    # Rare, because answers are alike. Over TCP the answer's length stands before it.
    if ((code == 0)) && [ "$header" != "$right" ]; then
      if [ "$how" = dns-tcp ] && [[ $header != SB* ]]; then judge_dns "${header:1}"; else judge_dns "$header"; fi
      case $dns_code in
        0 | 3) right=$header ;;
        none) code=1 ;;
        untold) ;;
        *) [ -z "$right" ] || code=1 ;;
      esac
    fi
    if ((code == 0 && fine && is_late == 0)); then
      printf '%s ' "$place"
    else
      answered=$((code == 0))
      if ((code > 128 || (interrupted && code > 0))); then
        now
        read -r _ waited _ </proc/self/schedstat
        # Also where the signal was meant for an earlier question. The report gives the next question its full time.
        ((ms - begin - (waited - waited_before) / 1000000 < limit / 2)) && answered=-
      fi
      printf '%s:%s:%s:%s ' "$place" "$answered" $is_late "$begin"
      # After a question that took too long the next one comes at once.
      ((fine = code == 0, before = 0))
      if ((interrupted || code > 128)); then continue; fi
    fi
    before=$begin
    read -r -t "$pause" -u 9
  done
}

# By place in `kinds`. Times are milliseconds of the boot clock. `since`: the earliest beginning of the present question. `unanswered`: beginning of the first
# of several unanswered questions in a row. `last_missed`: beginning of the newest of them.
kinds=() how_of=() host_of=() port_of=() pid_of=()
since=() unanswered=() last_missed=() missed=() answered=() late=() none=()

watches() {
  kinds+=("$1")
  how_of+=("$2")
  host_of+=("$3")
  port_of+=("$4")
  missed+=(0)
  unanswered+=(0)
  last_missed+=(0)
}

start() {
  worker "$1" "${how_of[$1]}" "${host_of[$1]}" "${port_of[$1]}" &
  pid_of[$1]=$!
  since[$1]=$ms
  # Keeps this shell from reporting that the worker was killed.
  disown "$!"
}

clear_counts() {
  local place
  for place in "${!kinds[@]}"; do answered[place]=0 late[place]=0 none[place]=0; done
  gaps=()
  restarted=()
}

# The next node after this one that has an address.
next_node() {
  local address place=0 own=
  local -a all
  local -A mine=()
  while read -r _ _ _ address _; do mine[${address%/*}]=1; done < <(ip -o addr show)
  read -r -a all <<<"$ADDRESSES"
  for place in "${!all[@]}"; do [ -n "${mine[${all[place]}]-}" ] && own=$place; done
  [ -n "$own" ] || return
  for ((place = 1; place < ${#all[@]}; place++)); do
    address=${all[$(((own + place) % ${#all[@]}))]}
    [ "$address" = - ] || { printf '%s' "$address" && return; }
  done
}

# note PLACE ANSWER LATE BEGIN: counts a report. One missing answer is a lost packet, as there always are some. Two in a row begin a gap, which ends with the
# next answered question. A missing answer that says nothing about the service neither begins nor ends a gap.
note() {
  end_row "$1" "$4"
  ((late[$1] += $3, since[$1] = $4 + INTERVAL > ms ? $4 + INTERVAL : ms, 1))
  if [ "$2" = - ]; then
    ((late[$1] += 1 - $3))
  elif [ "$2" = 1 ]; then
    ((answered[$1] += 1))
    ((missed[$1] > 1)) && told_gap "$1" "$4"
    missed[$1]=0
  else
    ((missed[$1] == 0)) && unanswered[$1]=$4
    ((last_missed[$1] = $4, missed[$1] += 1, none[$1] += 1))
  fi
}

# told_gap PLACE END: adds the gap that ends at END.
told_gap() { gaps+=("{\"kind\":\"${kinds[$1]}\",\"at\":${unanswered[$1]},\"ms\":$(($2 - unanswered[$1]))}"); }

# end_row PLACE MS: ends a row of missing answers where nothing was known for too long before MS. A missing answer at MS is no part of that row: its gap ends at
# the last missing answer.
end_row() {
  ((missed[$1] > 0 && $2 - last_missed[$1] > hangs_after)) || return
  ((missed[$1] > 1)) && told_gap "$1" "${last_missed[$1]}"
  missed[$1]=0
}

# Ends questions that hang, and restarts workers that hang. Where this shell itself is late the machine is busy, and workers get more time. While no question
# can be overdue, one look per interval is enough.
watchdog() {
  local place waits
  local was_late=$((ms - looked_at > look_after + tick))
  ((looked_at = ms, look_after = INTERVAL))
  for place in "${!kinds[@]}"; do
    ((waits = ms - since[place], waits < 0)) && continue
    look_after=$tick
    ((waits < limit - tick)) && continue
    if ((waits >= hangs_after)); then
      kill -KILL "${pid_of[place]}" 2>/dev/null
      restarted+=("\"${kinds[place]}\"")
      start "$place"
    elif ((was_late == 0)); then
      kill -USR1 "${pid_of[place]}" 2>/dev/null
    fi
  done
}

tell_second() {
  local place each='' open told_wall IFS=,
  wall
  for place in "${!kinds[@]}"; do
    open=0
    end_row "$place" "$ms"
    ((missed[place] > 1)) && open=$((last_missed[place] - unanswered[place]))
    each+="${each:+,}\"${kinds[place]}\":[$((answered[place] + none[place])),${answered[place]},${late[place]},${none[place]},$open]"
  done
  number=$((number + 1))
  printf '{"v":%s,"watch":"second","n":%s,"up":%s,"wall":%s,"kinds":{%s},"gaps":[%s],"restarted":[%s]}\n' \
    $version $number "$ms" "$told_wall" "$each" "${gaps[*]-}" "${restarted[*]-}" >&7
  clear_counts
}

end_workers() { kill -KILL "${pid_of[@]}" 2>/dev/null; }
trap 'end_workers; exit 0' TERM INT HUP

read -r host port <<<"$API"
watches api connect "$host" "$port"
if [ -n "$DNS" ]; then
  read -r host port <<<"$DNS"
  watches dns-udp dns-udp "$host" "$port"
  watches dns-tcp dns-tcp "$host" "$port"
fi
if [ -n "$NODE_PORT" ]; then
  other=$(next_node)
  [ -n "$other" ] && watches node-port connect "$other" "$NODE_PORT"
fi

now
begun_at=$ms looked_at=$ms told_at=$ms number=0
clear_counts
read -r boot </proc/sys/kernel/random/boot_id
wall
printf -v asked '"%s",' "${kinds[@]}"
printf '{"v":%s,"watch":"begin","up":%s,"wall":%s,"boot":"%s","interval":%s,"kinds":[%s]}\n' \
  $version "$ms" "$told_wall" "$boot" "$INTERVAL" "${asked%,}" >&7
for place in "${!kinds[@]}"; do start "$place"; done
pause='' told=() look_after=$tick
while ((ms - begun_at < SECONDS_TO_LIVE * 1000)); do
  seconds_of pause "$look_after"
  read -r -t "$pause" -u 9
  now
  # Ends the line, so that the read returns at once with all that workers have reported.
  printf '\n'
  read -r -a told -u 8
  for one in "${told[@]}"; do
    case $one in
      *:*)
        IFS=: read -r place is_answered is_late begin <<<"$one"
        note "$place" "$is_answered" "$is_late" "$begin"
        ;;
      *) ((answered[one] += 1, since[one] = ms + INTERVAL)) ;;
    esac
  done
  watchdog
  if ((ms - told_at >= 1000)); then
    told_at=$ms
    tell_second
  fi
done
end_workers
printf '{"v":%s,"watch":"end","up":%s}\n' $version "$ms" >&7
# Kubernetes would restart a pod that ended.
while :; do sleep 5; done
