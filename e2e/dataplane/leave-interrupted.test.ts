import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { configFlags, flowTypes, loadDataPlane, protocols, tcpSeen } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { ended, outputUntil, program, startProcess } from './testing/node-process.ts';
import { type Topology, topology } from './testing/topology.ts';

/** Ctrl-C while connections are handed to the host's own tracking. */

const test = anyTest.runIf(canRunPrograms);

const flowCount = 30_000;

let net: Topology;

beforeAll(() => {
  if (canRunPrograms) net = topology(['node1'], []);
});

afterAll(() => net?.close());

test('interrupted, leave takes nothing away, and can be done again', async () => {
  const pins = join(net.bpffs, 'pins');
  const { maps, close } = loadDataPlane({ pins: join(pins, 'maps') });
  const addresses = { nodeV4: '10.0.0.9', nodeV6: '::' };
  maps.config.set(0, { flags: configFlags.synced, vni: 1, tunnelPort: 4789, tunnelMtu: 1450, ...addresses });
  const seen = tcpSeen.syn | tcpSeen.ack;
  for (let port = 1; port <= flowCount; port++)
    maps.flows.set(
      { a: '10.0.0.1', b: '10.96.0.1', aPort: port, bPort: 80, protocol: protocols.TCP },
      {
        ...{ lastNs: process.hrtime.bigint(), createdNs: 0n, packets: [2n, 2n], bytes: [1n, 1n] },
        ...{ client: '10.0.0.1', service: '10.96.0.1', backend: '10.0.1.1', peerNode: '::' },
        ...{ clientPort: port, servicePort: 80, backendPort: 8080, snatPort: port, serviceId: 7, flags: 0 },
        ...{ rule: [0, 0], ifindex: [0, 0], type: flowTypes.service, tcp: [seen, seen], acknowledged: [0, 0] },
      },
    );
  const leave = () =>
    startProcess([
      'ip',
      'netns',
      'exec',
      net.namespace('node1'),
      ...program.installed,
      'node',
      'leave',
      '--pins',
      pins,
    ]);
  const flags = () => maps.config.get(0)?.flags;
  const leaving = leave();
  await expect.poll(flags, { interval: 5, timeout: 20_000 }).toBe(configFlags.synced | configFlags.leaving);
  leaving.kill('SIGINT');
  const [text, code] = await Promise.all([outputUntil(leaving, /leave` again/), ended(leaving)]);
  expect(text).toContain('nothing was removed');
  expect(code).toBe(130);
  expect([existsSync(pins), flags()]).toEqual([true, configFlags.synced]);
  close();
  const again = leave();
  const [afterwards, fine] = await Promise.all([outputUntil(again, /are removed/), ended(again)]);
  expect(afterwards).toMatch(/\d+ continue .* and \d+ end/);
  expect(fine).toBe(0);
  expect(existsSync(pins)).toBe(false);
});
