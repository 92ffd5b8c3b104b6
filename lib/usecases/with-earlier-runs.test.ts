import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { aCluster, aNode, aPlan, choose } from '#lib/plan/testing/a-cluster.ts';
import { type Journal, journalSchema } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { withEarlierRuns } from './with-earlier-runs.ts';

const names = ['control-1', 'worker-1', 'worker-2'];
const joined = '2025-12-01T00:00:00Z';
const nodes = names.map((name) => aNode(name, { createdAt: joined }));
const plan = aPlan({ nodes });
const wait = plan.operations.find(({ id }) => id === 'bpf.active');
const proofAt = '2026-01-01T00:05:00.000Z';

/** A run that waited for its nodes, and how the wait ended. */
function enabled(proven: readonly string[], outcome: 'met' | 'acknowledged' = 'met', given: Partial<Journal> = {}) {
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
    ...given,
  });
  return { plan: { ...plan, goal: journal.goal as typeof plan.goal }, journal };
}

async function verified(
  runs: ReturnType<typeof enabled>[],
  facts: Facts = aCluster({ nodes }),
  choices: Choices = choose(),
) {
  const findings = runChecks(facts, choices, { now: proofAt });
  const suggested = await withEarlierRuns(findings, { facts, choices }, { ofCluster: async () => runs });
  expect(suggested.verdict).toBe(findings.verdict);
  const of = (id: string) => suggested.findings.find((finding) => finding.id === id);
  return {
    programs: of('node.bpf-loads'),
    mounts: of('node.mounts'),
    vxlan: of('network.vxlan-between-nodes'),
    reachable: of('endpoint.reachable'),
    certificate: of('endpoint.certificate'),
  };
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
const acted = { what: 'acted', direction: 'forward', seq: 1, at: later } as const;
const stopped = { run: 'r-2', goal: 'upgrade', startedAt: later, state: { kind: 'stopped' as const, remains: [] } };

function installed(version: string): Facts {
  const facts = aCluster({ nodes });
  return { ...facts, installation: { ...facts.installation, version } };
}

function earlier({
  plan: { madeUnder: _, ...without },
  journal,
}: ReturnType<typeof enabled>): ReturnType<typeof enabled> {
  return { plan: without, journal };
}

function withCgroupFolder(facts: Facts, cgroupV2Path: string): Facts {
  const id = 'FelixConfiguration/default';
  const felix = facts.resources.objects[id];
  if (!felix) throw new Error('no FelixConfiguration in this cluster');
  const objects = { ...facts.resources.objects, [id]: { ...felix, spec: { ...(felix.spec as object), cgroupV2Path } } };
  return { ...facts, resources: { ...facts.resources, objects } };
}
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
  [
    'an upgrade since that was stopped on its way',
    [enabled(names), enabled([], 'met', { ...stopped, entries: [acted] })],
    undefined,
    'Run r-2 changed the release since.',
  ],
  [
    'another release than the one that ran then',
    [enabled(names)],
    installed('v3.31.7'),
    'That was v3.31.4, and this is v3.31.7.',
  ],
  ['a plan of an earlier version', [earlier(enabled(names))], undefined, 'Its release is not known.'],
  [
    'a node on another kernel',
    [enabled(names)],
    aCluster({ nodes: [...nodes.slice(1), aNode('control-1', { createdAt: joined, kernel: '5.15.0-99-generic' })] }),
    'Another kernel since: control-1.',
  ],
] as const)('it is stale with %s', async (_what, runs, facts, stale) => {
  const { programs } = await verified([...runs], facts);
  expect(programs?.verifiedBy?.stale).toBe(stale);
  expect(programs?.acceptedBefore).toBeUndefined();
});

test('an upgrade that was stopped before it acted takes nothing away', async () => {
  const { programs } = await verified([enabled(names), enabled([], 'met', { ...stopped, entries: [] })]);
  expect(programs?.verifiedBy?.stale).toBeNull();
});

test('mounts are those of the folder that was set then, programs of any', async () => {
  const moved = withCgroupFolder(aCluster({ nodes }), '/sys/fs/cgroup');
  const { programs, mounts } = await verified([enabled(names)], moved);
  expect(programs?.verifiedBy?.stale).toBeNull();
  expect(mounts?.verifiedBy?.stale).toBe('The folder for cgroup2 may be another one since.');
});

test.each([
  ['went on without its nodes', enabled(names, 'acknowledged')],
  ['saw no node', enabled([])],
  ['saw other nodes', enabled(['old-1'])],
])('a run that %s proves nothing', async (_what, run) => {
  expect((await verified([run])).programs?.verifiedBy).toBeUndefined();
});

const carries = plan.operations.find(({ done }) => done.kind === 'endpoint-active');
const carried = carries?.done.kind === 'endpoint-active' ? carries.done.endpoint : null;

/** A run that also waited until every agent had the address. */
function withEndpoint(outcome: 'met' | 'acknowledged' = 'met'): ReturnType<typeof enabled> {
  const { journal, plan: of } = enabled(names);
  const [nodesSeen] = journal.entries;
  if (nodesSeen?.what !== 'finished' || carries === undefined) throw new Error('no wait in this plan');
  const rolledOut = { ...nodesSeen, seq: carries.seq, outcome, seen: { nodes: [], conditions: [] } };
  return { plan: of, journal: { ...journal, entries: [rolledOut, nodesSeen] } };
}

test('agents on every node reached the API server at the endpoint of the run, and accepted its certificate', async () => {
  const { reachable, certificate } = await verified([withEndpoint()]);
  const because = 'Run r-1 saw it: the agents of all 3 nodes reached the API server at this endpoint.';
  expect(reachable?.verifiedBy).toEqual({ run: 'r-1', at: proofAt, because, stale: null });
  expect(certificate?.verifiedBy?.stale).toBeNull();
});

test('that is stale at another endpoint, and nothing is proven where the rollout was not waited for', async () => {
  const other = await verified(
    [withEndpoint()],
    undefined,
    choose({ endpoint: { host: 'other.example', port: '6443' } }),
  );
  expect(other.reachable?.verifiedBy?.stale).toBe(`That was ${carried?.host}:${carried?.port}.`);
  const skipped = await verified([withEndpoint('acknowledged')]);
  expect(skipped.reachable?.verifiedBy).toBeUndefined();
});
