import { closeSync } from 'node:fs';
import { test as anyTest, expect } from 'vitest';
import { openLibbpf, openLibrary, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { nodePlane, podPort } from './testing/node-plane.ts';
import { topology } from './testing/topology.ts';
import { withinNetwork } from './testing/within-network.ts';

/** What our programs note on packets for each other: `tc_index`, which others of tc read too. */

const test = anyTest.runIf(canRunPrograms);

const [schedCls, tcxEgress] = [3, 47] as const;
const tcIndexAt = 0x2c;
const nodePort = 30_080;

/** Drops what has a `tc_index`, and leaves the rest to the next program. */
const dropsMarked = Buffer.from(
  [
    `61 10 ${tcIndexAt.toString(16)} 00 00 00 00 00`, // r0 = *(u32 *)(r1 + tc_index)
    '15 00 02 00 00 00 00 00', // if r0 == 0 goto +2
    'b7 00 00 00 02 00 00 00', // r0 = TC_ACT_SHOT
    '95 00 00 00 00 00 00 00', // exit
    'b7 00 00 00 ff ff ff ff', // r0 = TC_ACT_UNSPEC
    '95 00 00 00 00 00 00 00', // exit
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
);

test('whoever looks at a packet after us on its way out finds nothing of ours', async () => {
  const pods = [{ pod: 'a', node: 'node1' }];
  const net = topology(['node1'], pods);
  const plane = nodePlane(net, 'node1', { nodes: ['node1'], pods });
  const opened: number[] = [];
  try {
    await net.at('a').ask({ do: 'serve', name: 'a', port: podPort });
    plane.serve({ address: '0.0.0.0', port: nodePort, flags: serviceFlags.nodePort, backends: ['a'] });
    const load = openLibrary('libbpf.so.1').bind(
      'int bpf_prog_load(int type, const char *name, const char *license, const void *code, size_t count, const void *options)',
    );
    const program = Number(load(schedCls, 'drops_marked', 'GPL', dropsMarked, dropsMarked.length / 8, null));
    expect(program).toBeGreaterThan(0);
    opened.push(program);
    const ifindex = net.ifindex('node1', 'eth0');
    withinNetwork(net.namespace('node1'), () => {
      opened.push(openLibbpf().number('createLink', 'attach it', program, ifindex, tcxEgress, null));
    });
    const to = net.addresses('node1').v4;
    expect(await net.at('client').ask({ do: 'tcp', to, port: nodePort })).toMatchObject({
      error: null,
      servers: ['a'],
    });
  } finally {
    for (const one of opened) closeSync(one);
    plane.close();
    await net.close();
  }
});
