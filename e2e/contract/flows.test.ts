import { afterAll, beforeAll, expect, test } from 'vitest';
import { flowRoleSet } from '#lib/flows/flow-role.ts';
import { everyFlow, followFlows, openFlowClient } from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { connect, type LiveKube, systemClock } from '#lib/kube/index.ts';
import { grant } from '../cluster/testing/printed-roles.ts';
import type { Plane } from '../controlplane/index.ts';
import { bucketNow, type FlowPlane, startFlowPlane, tenMinutes } from './testing/flow-plane.ts';

/** The client through a real API server and a kubelet's port-forward, to an aggregator with the faults of the public one, and real mutual TLS. */
let flows: FlowPlane;
let plane: Plane;
let kube: LiveKube;

beforeAll(async () => {
  flows = await startFlowPlane();
  ({ plane, kube } = flows);
});

afterAll(() => flows?.stop());

test('not enabled, enabled, listed, and followed over a cut', async () => {
  await expect(openFlowClient(kube)).rejects.toMatchObject({ code: 'not-enabled' });
  await flows.enable();
  await expect
    .poll(() =>
      openFlowClient(kube).then(
        (client) => client.close().then(() => 'ready'),
        (error: Error) => error.message,
      ),
    )
    .toBe('ready');

  const client = await openFlowClient(kube);
  const listed = await client.list({ gte: -300, lt: 0 }, everyFlow);
  expect(listed.length).toBeGreaterThan(20);
  expect(await client.hints('destNamespace')).toContain('payments');
  expect(await client.statistics({ gte: -300, lt: 0 })).not.toEqual([]);
  await client.close();

  const stop = new AbortController();
  const seen: string[] = [];
  let cuts = 0;
  const followed = followFlows({
    open: (signal) => openFlowClient(kube, signal),
    filter: everyFlow,
    sinceSeconds: 300,
    clock: { sleep: (_ms, signal) => systemClock.sleep(100, signal) },
    signal: stop.signal,
  });
  for await (const event of followed) {
    if (event.type === 'interrupted') cuts++;
    if (event.type === 'flow') seen.push(event.flow.id);
    if (event.type === 'flow' && seen.length === 10) {
      await flows.stopAggregator();
      await flows.startAggregator();
    }
    // Flows that arrived before the cut come first, and may be more than 200.
    if (cuts > 0 && seen.length >= 200) break;
  }
  expect(new Set(seen).size).toBe(seen.length);
});

test('certificates of both sides rotate during a stream, one after the other: it goes on, each flow once and none lost', async () => {
  const aggregator = tenMinutes();
  const starts = Array.from({ length: 12 }, (_, index) => bucketNow() - 300 + index * 15);
  const ports = Array.from({ length: 300 }, (_, index) => index + 1);
  // More than fits in all buffers between client and aggregator.
  for (const start of starts) for (const port of ports) aggregator.add(aFlow({ start, port }));
  await flows.stopAggregator();
  await flows.startAggregator(aggregator);
  /** The first step cuts the open connection; until the last step no trusted authority has signed the server's certificate. */
  const steps = [
    async () => {
      flows.changeAuthority();
      await flows.stopAggregator();
      await flows.startAggregator(aggregator);
    },
    flows.writePair,
    flows.writeBundle,
  ];
  const stop = new AbortController();
  const followed = followFlows({
    open: (signal) => openFlowClient(kube, signal),
    filter: everyFlow,
    sinceSeconds: 330,
    clock: { sleep: (_ms, signal) => systemClock.sleep(200, signal) },
    signal: stop.signal,
  });
  const seen: string[] = [];
  const interruptions: string[] = [];
  const awaited = new Set(starts.flatMap((start) => ports.map((port) => `${start} ${port}`)));
  for await (const event of followed) {
    if (event.type === 'gap') interruptions.push('gap');
    if (event.type === 'interrupted') {
      interruptions.push(String(Reflect.get(event.error, 'code')));
      if (interruptions.at(-1) === 'certificates') await steps.shift()?.();
    }
    if (event.type !== 'flow') continue;
    seen.push(event.flow.id);
    awaited.delete(`${event.flow.start} ${event.flow.port}`);
    if (seen.length === 40) await steps.shift()?.();
    if (awaited.size === 0) break;
  }
  expect(steps).toEqual([]);
  expect(interruptions.filter((one) => one === 'certificates')).toHaveLength(2);
  expect(interruptions).not.toContain('gap');
  expect(new Set(seen).size).toBe(seen.length);
});

test('the Role that signalbox rbac prints is enough to read flows, and without the port-forward it is not', async () => {
  const { roles } = flowRoleSet('enable');
  const user = 'applicant';
  const applicant = await connect({ kubeconfig: plane.kubeconfigFor(user) });
  const answer = async () => {
    try {
      const client = await openFlowClient(applicant);
      const found = await client.list({ gte: -300, lt: 0 }, everyFlow).finally(() => client.close());
      return found.length > 0 ? 'flows' : 'none';
    } catch (error) {
      return String(error);
    }
  };
  try {
    await expect(openFlowClient(applicant)).rejects.toMatchObject({ code: 'forbidden' });
    await grant(plane, user, roles);
    await expect.poll(answer, { timeout: 20_000 }).toBe('flows');
    const withoutForward = roles.map((role) => ({
      ...role,
      rules: role.rules.filter(({ resources: of }) => !of.includes('pods/portforward')),
    }));
    await grant(plane, user, withoutForward);
    await expect.poll(answer, { timeout: 20_000 }).toMatch(/pods\/portforward/);
  } finally {
    await applicant.close();
  }
});
