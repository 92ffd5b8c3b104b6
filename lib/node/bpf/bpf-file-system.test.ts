import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireBpfFileSystem } from './bpf-file-system.ts';

test.each([join(tmpdir(), 'none/of/these'), tmpdir(), '/sys/fs/none/signalbox', 'here'])(
  '%s takes no pins, and the sentence says what does',
  (folder) => {
    expect(() => requireBpfFileSystem(folder)).toThrow(
      `${folder} is not in a BPF file system. Mount one (mount -t bpf bpf /sys/fs/bpf), or name another folder with --pins.`,
    );
  },
);
