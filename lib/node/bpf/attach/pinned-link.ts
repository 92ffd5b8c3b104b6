import { closeSync, existsSync, unlinkSync } from 'node:fs';
import type { Libbpf } from '../libbpf.ts';

/**
 * Gives a pinned link the new program in place, so that no packet passes between the two. Returns false if there is no such pin, or if it was
 * removed: a link whose interface or folder is gone (ENOLINK), or that belongs to another folder, is unpinned, which detaches its program.
 * @param cgroup the inode number of the folder of cgroup2 to which the link must belong; left out for links of interfaces
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

/** Whether a link is pinned there and its program still attached: privileged processes can detach it by force or remove the pin. @throws BpfError */
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
 * struct bpf_link_info: type, id and program, then what it is attached to: the inode number of a cgroup2 folder, or the interface's index in the
 * first 32 bits for tcx. 0: it was detached.
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
