import { expect, test } from 'vitest';
import { aFacts, aNode } from '#lib/checks/testing/a-facts.ts';
import { runAll } from '#lib/checks/testing/find.ts';
import type { ClusterEntry, Draft } from '#lib/console/host.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { type ClusterInView, placesOfCluster, placesOfConsole } from './places.ts';

const entry: ClusterEntry = {
  slug: 'prod-00000001',
  name: 'prod',
  kind: 'kubeconfig',
  server: '10.0.0.1:6443',
  kubeconfig: null,
  current: true,
  shows: null,
  group: null,
  kept: false,
  warnings: [],
  notAsked: null,
  problem: null,
};
const facts = aFacts({ nodes: [aNode({ name: 'worker-1', kernel: '4.15.0' })] });
const inView: ClusterInView = { entry, assessed: { facts, findings: runAll(facts) }, runs: [], drafts: [] };
const run = (kind: 'done' | 'stopped' | 'failed' | 'running'): NonNullable<ClusterInView['runs']>[number] =>
  ({
    run: 'run-1',
    goal: 'enable',
    state: kind === 'running' ? { kind, direction: 'do' } : { kind },
    startedAt: '2026-11-21T10:00:00.000Z',
    startedBy: 'somebody',
    planHash: 'sha256:0',
    direction: 'do',
    foreign: null,
    namespace: 'signalbox-system',
  }) as never;
const draft: Draft = {
  id: 'draft-1',
  cluster: entry.slug,
  name: 'Tuesday window',
  revision: 1,
  answers: choicesSchema.parse({ goal: 'enable' }),
  answered: ['goal'],
  acceptedAt: {},
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  run: null,
};

const titles = (view: ClusterInView, group: string) =>
  placesOfCluster(view)
    .filter((place) => place.group === group)
    .map(({ title }) => title);

test.each<[string, Partial<ClusterInView>, string[]]>([
  ['a cluster that can be switched', {}, ['Enable eBPF', 'Check the cluster again']],
  [
    'one whose Calico is of an earlier line',
    { assessed: { facts: aFacts({ installation: { version: 'v3.30.4' } }), findings: runAll() } },
    ['Enable eBPF', expect.stringMatching(/^Upgrade Calico to v3\.3[1-9]\./) as never, 'Check the cluster again'],
  ],
  ['with a draft', { drafts: [draft] }, ['Continue: Tuesday window', 'Enable eBPF', 'Check the cluster again']],
  ['while a run goes on', { runs: [run('running')] }, ['Follow the run: Enable eBPF', 'Check the cluster again']],
  ['that could not be read', { assessed: null, runs: null }, ['Check the cluster again']],
])('actions of %s', (_what, given, expected) => {
  expect(titles({ ...inView, ...given }, 'Actions')).toEqual(expected);
});

test('what was done can be undone from where it was done', () => {
  expect(placesOfCluster({ ...inView, runs: [run('done')] })).toContainEqual({
    group: 'Actions',
    title: 'Undo: Enable eBPF',
    note: 'on the page of the run',
    href: '/clusters/prod-00000001/runs/run-1',
  });
  const policy = { ...run('done'), goal: 'policy' };
  expect(titles({ ...inView, runs: [policy] }, 'Actions')).toContain('Undo: Make a policy');
  // No plan has this goal; a journal may claim any.
  const claimed = { ...run('done'), goal: 'undo' };
  expect(titles({ ...inView, runs: [claimed] }, 'Actions')).toContain('Undo: The run');
});

test.each(['done', 'stopped', 'failed'] as const)('a run that is %s can be undone here as on the dashboard', (kind) => {
  expect(titles({ ...inView, runs: [run(kind)] }, 'Actions')).toContain('Undo: Enable eBPF');
});

test('of the cluster in view there are its pages, open findings, nodes and runs; each leads to a page', () => {
  expect(titles(inView, 'Pages')).toEqual(['Dashboard', 'Findings', 'Runs', 'Flows']);
  expect(titles(inView, 'Nodes')).toEqual(['worker-1']);
  const findings = placesOfCluster(inView).filter(({ group }) => group === 'Findings');
  expect(findings.map(({ note }) => note)).toContain('node.kernel');
  const passed = inView.assessed?.findings.findings.filter(({ status }) => status === 'pass') ?? [];
  expect(passed.length).toBeGreaterThan(0);
  for (const { id } of passed) expect(findings.map(({ note }) => note)).not.toContain(id);
  for (const { href } of placesOfCluster(inView)) expect(href).toMatch(/^\/clusters\/prod-00000001/);
});

test('of the console there are all clusters, with what tells them apart, and its pages', () => {
  const places = placesOfConsole(
    [entry, { ...entry, slug: 'kind-2', name: 'kind', server: null, shows: 'a laptop' }],
    [{ name: 'gates', title: 'Gates' }],
  );
  expect(places.filter(({ group }) => group === 'Clusters').map(({ title, note }) => [title, note])).toEqual([
    ['prod', '10.0.0.1:6443'],
    ['kind', 'a laptop'],
  ]);
  expect(places.filter(({ group }) => group === 'Pages').map(({ title }) => title)).toEqual([
    'All clusters',
    'Reference',
    'Gates',
    'Sessions',
  ]);
});
