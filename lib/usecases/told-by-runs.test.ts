import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { aCluster, aNode, aPlan, choose } from '#lib/plan/testing/a-cluster.ts';
import { type Journal, journalSchema } from '#lib/run/index.ts';
import { withToldByRuns } from './told-by-runs.ts';

const plan = aPlan();
const wait = plan.operations.find(({ id }) => id === 'bpf.active');
const names = ['control-1', 'worker-1', 'worker-2'];
const joined = '2025-12-01T00:00:00Z';
const nodes = names.map((name) => aNode(name, { createdAt: joined }));
const proofAt = '2026-01-01T00:05:00.000Z';

/** A run that waited for its nodes, and how that ended. */
function enabled(proven: readonly string[], outcome: 'met' | 'acknowledged' = 'met', wish: Partial<Journal> = {}) {
  const journal = journalSchema.parse({
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r-1',
    goal: 'enable',
    cluster: 'prod',
    planHash: plan.hash,
    startedAt: '2026-01-01T00:00:00.000Z',
    startedBy: 'i/p',
    state: { kind: 'done' },
    accepted: [],
    entries: [
      {
        what: 'finished',
        direction: 'forward',
        seq: wait?.seq,
        at: proofAt,
        outcome,
        note: null,
        seen: { nodes: proven.map((name) => [name, 'proven', 'bpf', 4, 0, '']), conditions: [] },
      },
    ],
    ...wish,
  });
  return { plan: { ...plan, goal: journal.goal as typeof plan.goal }, journal };
}

async function verified(runs: ReturnType<typeof enabled>[], facts: Facts = aCluster({ nodes })) {
  const findings = runChecks(facts, choose(), { now: proofAt });
  const told = await withToldByRuns(findings, facts, { ofCluster: async () => runs });
  expect(told.verdict).toBe(findings.verdict);
  const of = (id: string) => told.findings.find((finding) => finding.id === id);
  return { programs: of('node.bpf-loads'), vxlan: of('network.vxlan-between-nodes') };
}

test('what the agents of a run showed on every node answers what was not tested, with run and time, and is offered as the reason', async () => {
  const { programs, vxlan } = await verified([enabled(names)]);
  const because = 'Run r-1 saw it: the agents of all 3 nodes loaded the eBPF programs.';
  expect(programs).toMatchObject({
    status: 'unknown',
    verifiedBy: { run: 'r-1', at: proofAt, because, stale: null },
    acceptedBefore: { run: 'r-1', at: proofAt, reason: because },
  });
  expect(vxlan?.verifiedBy).toBeUndefined();
});

const later = '2026-01-02T00:00:00Z';
test.each([
  [
    'a node that joined since',
    [enabled(names)],
    aCluster({ nodes: [...nodes.slice(1), aNode('control-1', { createdAt: later })] }),
    'Not seen then: control-1.',
  ],
  [
    'a node of which nobody knows when it joined',
    [enabled(names)],
    aCluster({ nodes: [...nodes.slice(1), aNode('control-1', { createdAt: null })] }),
    'Not seen then: control-1.',
  ],
  ['a node that did not show it', [enabled(names.slice(1))], undefined, 'Not seen then: control-1.'],
  [
    'another release since',
    [enabled(names), enabled([], 'met', { run: 'r-2', goal: 'upgrade', startedAt: later })],
    undefined,
    'Run r-2 changed the release since.',
  ],
] as const)('it is stale with %s', async (_what, runs, facts, stale) => {
  const { programs } = await verified([...runs], facts);
  expect(programs?.verifiedBy?.stale).toBe(stale);
  expect(programs?.acceptedBefore).toBeUndefined();
});

test.each([
  ['went on without its nodes', enabled(names, 'acknowledged')],
  ['saw no node', enabled([])],
  ['saw other nodes', enabled(['old-1'])],
])('a run that %s proves nothing', async (_what, run) => {
  expect((await verified([run])).programs?.verifiedBy).toBeUndefined();
});
