# The message of a question about NAME, as escapes that printf writes; its number is "SB". "Checking disabled" is set, which whoever answers repeats (RFC 4035
# §3.2.2): the second byte of the answer's flags would be a zero else, which bash does not keep, so that it would wait for another. Over UDP it has to be
# without a line break, at which bash writes what it has and begins another datagram: question-about.ts asks no other.
dns_message() {
  local name=$1 label
  message='SB\x01\x10\x00\x01\x00\x00\x00\x00\x00\x00'
  local length=12
  while [ -n "$name" ]; do
    label=${name%%.*}
    name=${name#"$label"}
    name=${name#.}
    printf -v label '\\x%02x%s' ${#label} "$label"
    message+=$label
  done
  message+=$(printf '\\x00\\x00\\x%02x\\x00\\x01' "$2")
  printf -v length '%s' "$1"
  length=$((12 + ${#length} + 2 + 4))
  message_tcp=$(printf '\\x00\\x%02x' "$length")$message
}

# What of an answer is asked for: its number and its flags.
header_bytes=4

# judge_dns HEADER: into dns_code the code of the answer that begins so; "none": DNS gives no such answer; "untold": too little of it is known.
judge_dns() {
  local flags
  dns_code=untold
  [ ${#1} -lt 3 ] && [[ SB = "$1"* ]] && return
  dns_code=none
  printf -v flags '%d' "'${1:2:1}"
  [[ $1 = SB* ]] && ((flags & 128)) || return 0
  # A zero is not kept.
  printf -v flags '%d' "'${1:3:1}"
  dns_code=$((flags & 15))
}
