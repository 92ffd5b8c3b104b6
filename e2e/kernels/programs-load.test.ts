import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { shellWord } from '#lib/text/index.ts';
import { debianKernel } from './testing/debian-kernel.ts';
import { runOnKernel } from './testing/kernel-machine.ts';

const kernel = debianKernel();
const test = anyTest.runIf(kernel !== null);

/** Older verifiers refuse what this machine's takes: a loop whose end falls through to its beginning, for one (`back-edge`). */
test("Debian's kernel loads each program of the data plane", async () => {
  if (kernel === null) return;
  const object = join(import.meta.dirname, '../../bpf/built/signalbox.bpf.o');
  const script = `mkdir /sys/fs/bpf/loaded && bpftool prog loadall ${shellWord(object)} /sys/fs/bpf/loaded 2>&1 && ls /sys/fs/bpf/loaded`;
  const { code, output } = await runOnKernel(kernel, script, 300);
  expect(code, output).toBe(0);
  expect(output.split(/\s+/)).toEqual(expect.arrayContaining(['connect4', 'sendmsg6', 'incoming', 'outgoing']));
});
