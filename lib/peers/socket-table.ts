/** One end of a TCP connection, with the address as Node prints it: `127.0.0.1`, `::1`, `::ffff:127.0.0.1`. */
export type End = { readonly address: string; readonly port: number };

/** The byte order of this machine. The kernel prints addresses as words in it. */
export type ByteOrder = 'LE' | 'BE';

/**
 * How the kernel prints a socket from `local` to `remote` (proc_pid_net(5), /proc/net/tcp and tcp6). An IPv4 connection has two forms: if its program
 * uses an IPv6 socket, it is in tcp6 with mapped addresses.
 */
export function tableKeys(local: End, remote: End, order: ByteOrder): readonly string[] {
  const ends = [local, remote].map(({ address, port }) => ({ bytes: bytesOf(address), port: hex(port, 4) }));
  const key = (width: 4 | 16) =>
    ends.map(({ bytes, port }) => `${wordsOf(bytes.slice(-width), order)}:${port}`).join(' ');
  return ends.every(({ bytes }) => isMapped(bytes)) ? [key(4), key(16)] : [key(16)];
}

/**
 * The user of each wanted socket in a table, by its key. Sockets without an inode are skipped: their program has closed them, and the kernel prints
 * user 0 for them, whoever it was.
 */
export function* ownersIn(lines: Iterable<string>, wanted: ReadonlySet<string>): Generator<[key: string, uid: number]> {
  for (const line of lines) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/ +/, 10);
    const key = `${local} ${remote}`;
    if (wanted.has(key) && inode !== '0') yield [key, Number(uid)];
  }
}

/** The address in 16 bytes; IPv4 is mapped (RFC 4291 §2.5.5.2). */
function bytesOf(address: string): readonly number[] {
  const plain = address.split('%', 1)[0] ?? '';
  const [head = '', tail] = withoutDots(plain).split('::', 2);
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function withoutDots(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (!dotted) return address;
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number);
  const start = address.slice(0, dotted.index);
  return `${start === '' ? '::ffff:' : start}${hex((a << 8) | b, 4)}:${hex((c << 8) | d, 4)}`;
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Words of four bytes, each printed as its number on this machine. */
function wordsOf(bytes: readonly number[], order: ByteOrder): string {
  const words: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4);
    words.push((order === 'LE' ? word.reverse() : word).map((byte) => hex(byte, 2)).join(''));
  }
  return words.join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
