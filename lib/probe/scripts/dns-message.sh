# The message of a question about NAME, as escapes that printf writes; its number is "SB". Over UDP it has to be without a line break, at which bash writes
# what it has and begins another datagram: question-about.ts asks no other.
dns_message() {
  local name=$1 label
  message='SB\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00'
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
