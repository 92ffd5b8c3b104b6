import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireBpfFileSystem } from './bpf-file-system.ts';

test.each([join(tmpdir(), 'none/of/these'), tmpdir(), '/sys/fs/none/signalbox', 'here'])(
  '%s takes no pins, and the sentence says what does',
  (folder) => {
    expect(() => requireBpfFileSystem(folder)).toThrow(
      `${folder} is in no BPF file system: mount -t bpf bpf /sys/fs/bpf makes one, --pins names another place.`,
    );
  },
);
