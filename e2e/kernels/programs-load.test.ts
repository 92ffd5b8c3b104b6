import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { shellWord } from '#lib/text/index.ts';
import { debianKernel, newerKernel } from './testing/debian-kernel.ts';
import { loadOnKernel, runOnKernel } from './testing/kernel-machine.ts';

const kernel = debianKernel();
const newer = newerKernel();
const test = anyTest.runIf(kernel !== null);
const object = join(import.meta.dirname, '../../bpf/built/signalbox.bpf.o');

/** Older verifiers refuse what this machine's takes: a loop whose end falls through to its beginning, for one (`back-edge`). */
test("Debian's kernel loads each program of the data plane", async () => {
  if (kernel === null) return;
  const script = `mkdir /sys/fs/bpf/loaded && bpftool prog loadall ${shellWord(object)} /sys/fs/bpf/loaded 2>&1 && ls /sys/fs/bpf/loaded`;
  const { code, output } = await runOnKernel(kernel, script, 300);
  expect(code, output).toBe(0);
  expect(output.split(/\s+/)).toEqual(expect.arrayContaining(['connect4', 'sendmsg6', 'incoming', 'outgoing']));
});

anyTest.runIf(newer !== null)('so does Linux 6.12', async () => {
  if (newer === null) return;
  const { code, output } = await loadOnKernel(newer, object, 300);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^6\.12\./);
  expect(output.split(/\s+/)).toEqual(expect.arrayContaining(['connect4', 'sendmsg6', 'incoming', 'outgoing']));
});
