import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { parsePlan } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** Turns flow logs on and off as a step of its own. The stand-in of the operator reacts as the public operator was recorded to do. */
let stage: Stage;
afterEach(() => stage.close());

const goldmane: ObjectRef = { resource: resources.goldmanes, name: 'default' };
const agents: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.calicoNamespace,
  name: names.nodeDaemonSet,
};
const node = (name: string): ObjectRef => ({ resource: resources.nodes, name });
const alone = { goal: 'flow-logs' } as const;

test('flow logs on: every agent restarts with their address, is waited for, and the way back leaves everything as it was', async () => {
  stage = await openStage({ nodes: 3 });
  const before = await stage.contents();
  const plan = await stage.plan(alone);
  expect(plan.operations.map(({ id }) => id)).toEqual(['snapshot', 'flowlogs.enable', 'verify.pods']);
  expect(plan.operations[1]?.why).toContain('The agent of all 3 nodes restarts');
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));

  // An agent that does not restart delays the step, which names its node.
  const held = 'worker-1';
  await stage.store.patch(node(held), { type: 'merge', body: { spec: { unschedulable: true } } });
  await stage.hold(held);
  const process = stage.process();
  const ended = startRun(process, plan);
  await stage.until('a control plane’s agent to be awaited', () =>
    process.events.some(
      ({ event, data }) =>
        event === 'operation' &&
        data.id === 'flowlogs.enable' &&
        data.state === 'waiting' &&
        data.awaiting?.startsWith('calico-node to restart on every node with flow logs') === true &&
        data.heldUpBy.some(({ name }) => name === held),
    ),
  );
  await stage.release(held);
  await stage.store.patch(node(held), { type: 'merge', body: { spec: { unschedulable: null } } });
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toEqual({ kind: 'done' });
  expect(JSON.stringify(await stage.store.get(agents))).toContain(names.flowLogsServerEnv);
  await expect(stage.plan(alone)).rejects.toThrow('Flow logs are on already');

  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  expect(await stage.store.get(goldmane)).toBeNull();
  await stage.pass(120);
  expectSameCluster(before, await stage.contents());
});
