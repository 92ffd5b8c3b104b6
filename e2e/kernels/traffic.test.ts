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
const links = join(import.meta.dirname, 'guest/chosen-links.ts');
const modulesOfTraffic = ['drivers/net/veth.ko', 'net/sched/sch_ingress.ko', 'net/sched/cls_bpf.ko'];
/** Each after what it needs. */
const modulesOfLinks = [
  ...['net/tls/tls.ko', 'drivers/net/bonding/bonding.ko'],
  ...['net/llc/llc.ko', 'net/802/stp.ko', 'net/802/garp.ko', 'net/802/mrp.ko', 'net/8021q/8021q.ko'],
];

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
    byLinks: [],
  },
  {
    version: '6.1',
    kernel: stable && {
      image: stable.image,
      modules: [...modulesOfTraffic, ...modulesOfLinks].map((path) => join(stable.modules, 'kernel', path)),
    },
    programs: [...always, ...hooksOfNames],
    lacks: [],
    byLinks: [
      'eth0',
      'bond0',
      ...[0, 1].flatMap(() => ['by a bond: c', 'datagrams by a bond: c c c']),
      expect.stringContaining('eth0.100 is a VLAN sub-interface, whose packets are not served yet.'),
      // By the stack: the programs of eth0 have nothing to do with it.
      ...['with a tag: node2', 'with a tag: node2'],
    ],
  },
];

for (const { version, kernel, programs, lacks, byLinks } of kernels)
  anyTest.runIf(kernel !== null)(
    `on Linux ${version} all programs are loaded, and serve by both families`,
    async () => {
      if (kernel === null) return;
      const { code, output } = await runNodeOnKernel(kernel, [script, process, links], 600);
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
      expect(answers).toEqual([...ofEach, ...ofEach, ...byLinks]);
    },
  );
