import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import type { Loaded } from './guest/say-loaded.ts';
import { runNodeOnKernel } from './testing/bare-machine.ts';
import { debianKernel } from './testing/debian-kernel.ts';
import { otherKernel } from './testing/other-kernels.ts';

/**
 * Traffic by the programs as the agent's own loader brings them into other kernels than this machine's. Neither has tcx, so that clsact is what attaches
 * there; the oldest of all that are run lacks everything that the programs do without.
 */

const script = join(import.meta.dirname, 'guest/short-traffic.ts');
const process = join(import.meta.dirname, '../dataplane/testing/traffic-process.ts');
const stable = debianKernel();
const modulesOfTraffic = ['drivers/net/veth.ko', 'net/sched/sch_ingress.ko', 'net/sched/cls_bpf.ko'];

const always = ['connect4', 'connect6', 'sendmsg4', 'sendmsg6', 'recvmsg4', 'recvmsg6', 'incoming', 'outgoing'];
const hooksOfNames = ['getpeername4', 'getpeername6'];

const kernels = [
  {
    version: '5.4',
    kernel: otherKernel('Ubuntu 5.4'),
    programs: always,
    lacks: [
      ...['__sk_buff.gso_size', 'bpf_get_netns_cookie', 'bpf_jiffies64', 'bpf_redirect_neigh', 'bpf_redirect_peer'],
      ...hooksOfNames,
    ],
  },
  {
    version: '6.1',
    kernel: stable && {
      image: stable.image,
      modules: modulesOfTraffic.map((path) => join(stable.modules, 'kernel', path)),
    },
    programs: [...always, ...hooksOfNames],
    lacks: [],
  },
];

for (const { version, kernel, programs, lacks } of kernels)
  anyTest.runIf(kernel !== null)(
    `on Linux ${version} all programs are loaded, and serve by both families`,
    async () => {
      if (kernel === null) return;
      const { code, output } = await runNodeOnKernel(kernel, [script, process], 600);
      expect(code, output).toBe(0);
      const [first = '', ...answers] = output.trim().split('\n');
      const loaded: Loaded = JSON.parse(first);
      expect(loaded.kernel.startsWith(`${version}.`), loaded.kernel).toBe(true);
      expect(Object.keys(loaded.verified).toSorted()).toEqual(programs.toSorted());
      expect(loaded.lacks.toSorted()).toEqual(lacks);
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
    },
  );
