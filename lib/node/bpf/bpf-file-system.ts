import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { BpfError } from './bpf-error.ts';

/** BPF_FS_MAGIC of linux/magic.h. */
const magic = 0xcafe4a11;

/**
 * Only a BPF file system takes pins. Checked before a folder is created: in sysfs' empty folder, where it should be mounted, mkdir fails with a
 * misleading ENOENT, and Node's recursive mkdir never returns.
 * @throws BpfError `refused`, with the command that mounts one
 */
export function requireBpfFileSystem(folder: string): void {
  if (statfsSync(nearest(folder)).type === magic) return;
  throw new BpfError(
    'refused',
    `${folder} is not in a BPF file system. Mount one (mount -t bpf bpf /sys/fs/bpf), or name another folder with --pins.`,
  );
}

/** The folder itself, or its nearest parent that exists. */
function nearest(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (statfs(at) || at === dirname(at)) return at;
  }
}

function statfs(folder: string): boolean {
  try {
    statfsSync(folder);
    return true;
  } catch {
    return false;
  }
}
