# dns_message NAME TYPE: sets `message` and `message_tcp` to a question with the number "SB", as escapes for printf. It sets the flag "checking disabled", which
# every server repeats (RFC 4035 §3.2.2). Without it the second byte of the answer's flags would be zero, which bash does not keep, so that it would wait for
# one more byte. Over UDP the message must have no line break, at which bash sends what it has and begins another datagram; question-about.ts gives no such
# question.
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

# Bytes of an answer that are read: its number and its flags.
header_bytes=4

# judge_dns HEADER: sets `dns_code` to the code of the answer that begins so. "none": no DNS answer begins so. "untold": too little of it is known.
judge_dns() {
  local flags
  dns_code=untold
  [ ${#1} -lt 3 ] && [[ SB = "$1"* ]] && return
  dns_code=none
  printf -v flags '%d' "'${1:2:1}"
  [[ $1 = SB* ]] && ((flags & 128)) || return 0
  # bash does not keep a zero.
  printf -v flags '%d' "'${1:3:1}"
  dns_code=$((flags & 15))
}
