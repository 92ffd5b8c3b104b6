import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import type { Loaded } from './guest/say-loaded.ts';
import { runNodeOnKernel } from './testing/bare-machine.ts';
import { otherKernel } from './testing/other-kernels.ts';

const kernel = otherKernel('Ubuntu 5.4');
const scripts = ['guest/short-traffic.ts', '../dataplane/testing/traffic-process.ts'] as const;

/** The oldest kernel of all that are run, on which everything is missing that the programs do without. */
anyTest.runIf(kernel !== null)('on Linux 5.4 all programs are loaded, and serve by both families', async () => {
  if (kernel === null) return;
  const [script, process] = scripts.map((path) => join(import.meta.dirname, path));
  const { code, output } = await runNodeOnKernel(kernel, [script ?? '', process ?? ''], 900);
  expect(code, output).toBe(0);
  const [first = '', ...answers] = output.trim().split('\n');
  const loaded: Loaded = JSON.parse(first);
  expect(loaded.kernel).toMatch(/^5\.4\./);
  expect(Object.keys(loaded.verified)).toEqual([
    ...['connect4', 'connect6', 'sendmsg4', 'sendmsg6', 'recvmsg4', 'recvmsg6', 'incoming', 'outgoing'],
  ]);
  expect(loaded.lacks.toSorted()).toEqual([
    ...['__sk_buff.gso_size', 'bpf_get_netns_cookie', 'bpf_jiffies64', 'bpf_redirect_neigh', 'bpf_redirect_peer'],
    ...['getpeername4', 'getpeername6'],
  ]);
  const ofEach = [
    'a client by the tunnel: c',
    'its datagrams: c c c',
    'a client without it: a',
    'a client whom nobody serves: ECONNREFUSED',
    'a pod: c',
    'its datagrams: c',
    'a process of the host: a',
  ];
  expect(answers).toEqual([...ofEach, ...ofEach]);
});
