#!/bin/bash
# What Signalbox runs on a node while a run changes what carries its traffic: it asks services over and over, and prints one JSON line a second
# (lib/probe/watch-line.ts). It changes nothing, listens nowhere, and may use bash and the programs of the image calico/node, no others
# (e2e/probe/testing/probe-tools.ts).
#
# INTERVAL   ms from one question to the next
# API        HOST PORT of the API's Service: is a TCP connection made? Nothing is sent
# DNS        HOST PORT of the cluster's DNS, asked over UDP and TCP; nothing: not asked. An answer is one of DNS; once it knew the name, or said that there is
#            none, any other is none
# QUESTION   NAME TYPE of the question to it, the type as a number
# NODE_PORT  a port that every node has, asked of the next node in ADDRESSES; nothing: not asked
# ADDRESSES  IPv4 addresses of the nodes, in an order that all nodes share; - for a node that has none
# SECONDS_TO_LIVE  when it stops asking although nobody took it away
set -u
export LC_ALL=C
: "${INTERVAL:?}" "${API:?}" "${DNS?}" "${QUESTION?}" "${NODE_PORT?}" "${ADDRESSES?}" "${SECONDS_TO_LIVE:?}"

version=1
# No answer within so long is none. Not longer than two questions, which is how exactly a gap is known.
limit=$((INTERVAL * 2))
# How often it is looked at questions that are not answered yet.
tick=$((INTERVAL / 2))
# A worker that does not even tell that it got no answer hangs.
hangs_after=$((limit + 2000))

# Milliseconds of the boot clock, which nobody sets; to 10 ms. No program is started for it.
now() {
  local up
  read -r up _ </proc/uptime
  ms=$((10#${up/./} * 10))
}

# The image of older releases has bash 4.4, which knows no EPOCHREALTIME.
wall() { if [ -n "${EPOCHREALTIME-}" ]; then told_wall=$((10#${EPOCHREALTIME/./} / 1000)); else told_wall=$(date +%s%3N); fi; }

seconds_of() { printf -v "$1" '%d.%03d' $(($2 / 1000)) $(($2 % 1000)); }

# include dns-message.sh

# bash before 5 takes a datagram byte by byte, and the rest of it is lost: of that one nothing but that something came is known. A program that takes it whole
# (probe.sh) would be started twenty times a second. Of answers over TCP the code is known all the same.
((BASH_VERSINFO[0] >= 5)) || header_bytes=1

# Two pipes that nobody else has: one for what workers tell, one on which nothing ever comes, to sleep without starting a program. What is printed goes into
# the first, where nothing has to be said about it; the log is 7.
exec 7>&1 8<> <(:) 9<> <(:)
exec >&8

# Of what is read in time as bash sees it: a shell that gets no core until its patience is over finds the end of it first, and the answer behind it, or the
# rest of it, which bash has kept and would give to whoever reads next. Of an answer with a zero in what is asked for no more comes.
hear_late() {
  local rest='' had=${#header}
  (($1 > 128)) || return "$1"
  IFS= read -r -N $((header_bytes - had)) -t 0.001 -u 3 rest
  header+=$rest
  [ -n "$header" ] || return "$1"
  ((had > 2)) || is_late=1
}

# worker PLACE HOW HOST PORT: lives as long as the watch. Of a question that was answered in time after such a one it tells its place in `kinds` alone, of
# every other PLACE:ANSWER:LATE:BEGIN, so that there is little to read. ANSWER is 1, 0, or - for none that says nothing of the service: this shell itself
# had no core for so much of the time that it asked too late, or would have heard too late. A service that is awaited for half of the limit had its chance.
#
# What is done for every question stands in the loop itself, and calls no function: bash copies those each time. No program is started either. Files: the boot
# clock as in `now`, and ns for which this shell has had something to do and no core to do it on (proc(5) › /proc/pid/schedstat); 0 on a kernel
# that does not count them. A question that ends above 128 had no answer in time; a connection that hangs ends by the signal: bash has no other way.
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
    # How long the last one took: but for that one this asks every INTERVAL.
    ((begin = 10#${begin/./} * 10, is_late = before > 0 && begin - before > 2 * INTERVAL, interrupted = 0))
    header=
    # shellcheck disable=SC2059
    case $how in
      connect) { :; } 3<>"/dev/tcp/$host/$port" ;;
      dns-udp) { printf "$message" >&3 && { IFS= read -r -N "$header_bytes" -t "$patience" -u 3 header || hear_late $?; }; } 3<>"/dev/udp/$host/$port" ;;
      dns-tcp) { printf "$message_tcp" >&3 && { { IFS= read -r -d '' -n 1 -t "$patience" -u 3 _ && IFS= read -r -d '' -n 5 -t "$patience" -u 3 header; } || hear_late $?; }; } 3<>"/dev/tcp/$host/$port" ;;
    esac
    code=$?
    # Seldom, as answers are alike. Over TCP the length stands before.
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
        # Also where the signal was meant for a question before this one: it is told, so that the next has its time.
        ((ms - begin - (waited - waited_before) / 1000000 < limit / 2)) && answered=-
      fi
      printf '%s:%s:%s:%s ' "$place" "$answered" $is_late "$begin"
      # What took too long is asked again at once.
      ((fine = code == 0, before = 0))
      if ((interrupted || code > 128)); then continue; fi
    fi
    before=$begin
    read -r -t "$pause" -u 9
  done
}

# By place in `kinds`. Times are ms of the boot clock: `since`, when the question that is under way began at the earliest; `unanswered`, when the first
# of those in a row began that were not, and `last_missed`, when the newest of them did.
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
  # This shell need not say when it is killed.
  disown "$!"
}

clear_counts() {
  local place
  for place in "${!kinds[@]}"; do answered[place]=0 late[place]=0 none[place]=0; done
  gaps=()
  restarted=()
}

# The node after this one that has an address.
next_node() {
  local address place=0 own=
  local -a all
  local -A mine=()
  while read -r _ _ _ address _; do mine[${address%/*}]=1; done < <(ip -o -4 addr show)
  read -r -a all <<<"$ADDRESSES"
  for place in "${!all[@]}"; do [ -n "${mine[${all[place]}]-}" ] && own=$place; done
  [ -n "$own" ] || return
  for ((place = 1; place < ${#all[@]}; place++)); do
    address=${all[$(((own + place) % ${#all[@]}))]}
    [ "$address" = - ] || { printf '%s' "$address" && return; }
  done
}

# note PLACE ANSWER LATE BEGIN. One answer that is missing is a lost packet, of which there are always some; two in a row begin a gap, which ends with
# the question that is answered. What says nothing of the service neither begins nor ends one.
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

# told_gap PLACE END
told_gap() { gaps+=("{\"kind\":\"${kinds[$1]}\",\"at\":${unanswered[$1]},\"ms\":$(($2 - unanswered[$1]))}"); }

# end_row PLACE MS. What was missing before nothing at all was known for so long is no part of what is missing at MS: a gap ends where it was known last.
end_row() {
  ((missed[$1] > 0 && $2 - last_missed[$1] > hangs_after)) || return
  ((missed[$1] > 1)) && told_gap "$1" "${last_missed[$1]}"
  missed[$1]=0
}

# Ends questions that hang, and starts workers anew that do. Where this shell itself comes too late the machine is busy, and a worker gets more time. While
# nobody can be waiting for an answer it is enough to look once an interval.
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
  # The end of a line, so that what workers have told until now is read at once, and without waiting.
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
# A pod that ended would be started again.
while :; do sleep 5; done
