import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { BpfError } from './bpf-error.ts';

/** BPF_FS_MAGIC of linux/magic.h. */
const magic = 0xcafe4a11;

/**
 * Only a BPF file system takes pins. Asked before a folder is made: in the empty folder of sysfs where it should be mounted, mkdir says that the parent is
 * not there, and Node's own recursive one never ends.
 * @throws BpfError `refused`, with the command that mounts one
 */
export function requireBpfFileSystem(folder: string): void {
  if (statfsSync(nearest(folder)).type === magic) return;
  throw new BpfError(
    'refused',
    `${folder} is in no BPF file system: mount -t bpf bpf /sys/fs/bpf makes one, --pins names another place.`,
  );
}

/** The folder itself, or the first above it that is there. */
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
