import { closeSync, existsSync, unlinkSync } from 'node:fs';
import type { Libbpf } from '../libbpf.ts';

/**
 * Gives a link that is pinned the new program in place, so that nothing passes between the two. false where there is none; a pin of a link whose other
 * end went (ENOLINK), or is another one, is removed, and its program detached with it.
 * @param cgroup number of the folder of cgroup2 that the link is to be of, where it is of one
 * @throws BpfError
 */
export function renewLink(libbpf: Libbpf, pin: string, program: number, cgroup?: bigint): boolean {
  if (!existsSync(pin)) return false;
  const link = libbpf.number('pinned', `open ${pin}`, pin);
  try {
    const isElsewhere = cgroup !== undefined && cgroupOf(libbpf, pin, link) !== cgroup;
    const updated = isElsewhere
      ? null
      : libbpf.numberUnless(['ENOLINK'], 'updateLink', `renew ${pin}`, link, program, null);
    if (updated !== null) return true;
    unlinkSync(pin);
    return false;
  } finally {
    closeSync(link);
  }
}

/** Whether a link is pinned there and its program still attached: whoever may can detach it by force, or remove the pin. @throws BpfError */
export function isLinkAttached(libbpf: Libbpf, pin: string): boolean {
  if (!existsSync(pin)) return false;
  const link = libbpf.number('pinned', `open ${pin}`, pin);
  try {
    return infoOf(libbpf, pin, link).readUInt32LE(linkInfo.end) !== 0;
  } finally {
    closeSync(link);
  }
}

/**
 * struct bpf_link_info: type, id and program, then the other end: of a link to cgroup2 the folder's number, which is that of its inode, of one of tcx the
 * interface's (in the first 32 bits). 0: it was detached.
 */
const linkInfo = { size: 64, end: 16 } as const;

function cgroupOf(libbpf: Libbpf, pin: string, link: number): bigint {
  return infoOf(libbpf, pin, link).readBigUInt64LE(linkInfo.end);
}

function infoOf(libbpf: Libbpf, pin: string, link: number): Buffer {
  const info = Buffer.alloc(linkInfo.size);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(linkInfo.size);
  libbpf.number('info', `read of ${pin}`, link, info, size);
  return info;
}
