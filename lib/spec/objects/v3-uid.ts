const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Bytes that stay unchanged, because they have the UUID's version and variant (RFC 9562, section 4). */
const kept: ReadonlySet<number> = new Set([6, 8]);

/**
 * The UID of a `projectcalico.org/v3` object from v3.28 on, computed from that of its `crd.projectcalico.org/v1` object, which earlier releases show: the bits of
 * each byte are reversed (calico.md §12). The function is its own inverse. Null if the text is no UUID.
 */
export function v3Uid(uid: string): string | null {
  if (!uuid.test(uid)) return null;
  const hex = uid.toLowerCase().replaceAll('-', '');
  const bytes = Array.from({ length: 16 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
  const turned = bytes.map((byte, index) => (kept.has(index) ? byte : reversed(byte)));
  const text = turned.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

function reversed(byte: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
}
