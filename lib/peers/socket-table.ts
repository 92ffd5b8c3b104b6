/** One end of a TCP connection, as Node names it: `127.0.0.1`, `::1`, `::ffff:127.0.0.1`. */
export type End = { readonly address: string; readonly port: number };

/** The byte order of this machine: the kernel prints addresses as the words that it keeps. */
export type ByteOrder = 'LE' | 'BE';

/**
 * How the kernel writes a socket that has `local` and is connected to `remote` (proc_pid_net(5), /proc/net/tcp and tcp6). An IPv4 connection has
 * two ways: a program that uses an IPv6 socket for it is listed in tcp6 with mapped addresses.
 */
export function tableKeys(local: End, remote: End, order: ByteOrder): readonly string[] {
  const ends = [local, remote].map(({ address, port }) => ({ bytes: bytesOf(address), port: hex(port, 4) }));
  const key = (width: 4 | 16) =>
    ends.map(({ bytes, port }) => `${wordsOf(bytes.slice(-width), order)}:${port}`).join(' ');
  return ends.every(({ bytes }) => isMapped(bytes)) ? [key(4), key(16)] : [key(16)];
}

/**
 * The user of each wanted socket that a table lists, by its key. A socket that its program has closed belongs to nobody (inode 0): the kernel
 * prints user 0 for it, whoever it was.
 */
export function* ownersIn(lines: Iterable<string>, wanted: ReadonlySet<string>): Generator<[key: string, uid: number]> {
  for (const line of lines) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/ +/, 10);
    const key = `${local} ${remote}`;
    if (wanted.has(key) && inode !== '0') yield [key, Number(uid)];
  }
}

/** 16 bytes; an IPv4 address as a mapped one (RFC 4291 §2.5.5.2). */
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

/** Words of four bytes, each printed as the number that it is on this machine. */
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
