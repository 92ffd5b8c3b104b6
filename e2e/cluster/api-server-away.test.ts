import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { startSignalbox } from './testing/signalbox-process.ts';
import { clusterWrites, inShort, type Wire, wireTo } from './testing/wire.ts';

/** The API server goes away right after the switch was written, for longer than a Lease lives. */
let cluster: CalicoCluster;
let wire: Wire;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 2 });
  wire = await wireTo(cluster.plane, 'wire');
});

afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

test('an API server that is away for 20 s during the switch: the run is kept, says so, and goes on to its end', async () => {
  const workplace = { ...cluster.workplace, kubeconfig: wire.kubeconfig };
  const apply = startSignalbox(workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  await apply.event(
    'the switch',
    ({ event, data }) => event === 'operation' && data.id === 'switch.bpf' && data.state === 'begun',
  );
  await cluster.plane.stopApiServer();
  await sleep(20_000);
  await cluster.plane.startApiServer();

  expect(await apply.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  const events = apply.events();
  const problems = events.flatMap((each) => (each.event === 'problem' ? [each.data] : []));
  expect(problems[0]).toMatchObject({
    code: 'cluster.unreachable',
    message: expect.stringContaining('The run is kept'),
  });
  expect(events.flatMap((each) => (each.event === 'log' ? [each.data.message] : []))).toContain(
    'The cluster answers again.',
  );
  const done = clusterWrites(wire.writes).filter(({ status }) => status !== null && status < 300);
  expect(done.map(inShort).filter((each) => each.endsWith('/default') || each.endsWith('/kube-proxy'))).toEqual([
    'PATCH felixconfigurations/default',
    'PATCH installations/default',
    'PATCH daemonsets/kube-proxy',
    'PATCH felixconfigurations/default',
  ]);
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});
