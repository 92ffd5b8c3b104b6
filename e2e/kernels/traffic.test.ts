import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { shellWord } from '#lib/text/index.ts';
import { debianKernel } from './testing/debian-kernel.ts';
import { runOnKernel } from './testing/kernel-machine.ts';

const kernel = debianKernel();
const test = anyTest.runIf(kernel !== null);

/** A few of the data plane's own tests, as they are: there is no tcx before Linux 6.6, so that clsact is what attaches here. */
test("on Debian's kernel packets are translated, and go through the tunnel", async () => {
  if (kernel === null) return;
  const root = join(import.meta.dirname, '../..');
  const tests = ['by TCP (v4) a client reaches a pod', 'what comes by a tunnel', 'refuses through the tunnel'];
  const pattern = shellWord(tests.map((name) => name.replaceAll(/[()]/g, '.')).join('|'));
  // None of them expects silence, and how long an emulated machine takes is a matter of what else this one does.
  const script = `uname -r; cd ${shellWord(root)} && SIGNALBOX_SILENT_AFTER_MS=300000 ${shellWord(process.execPath)} node_modules/vitest/vitest.mjs run --project dataplane e2e/dataplane/tunnel.test.ts -t ${pattern} 2>&1`;
  const { code, output } = await runOnKernel(kernel, script, 600);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^6\.1\./);
  expect(output).toMatch(/4 passed/);
});
