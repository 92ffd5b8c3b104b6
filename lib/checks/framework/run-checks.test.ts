import { expect, test } from 'vitest';
import { z } from 'zod';
import { emptyFacts, factKeys } from '#lib/facts/index.ts';
import { type Check, defineCheck } from '../check.ts';
import { checks } from '../checks.ts';
import { findingsSchema } from '../findings.ts';
import { aFacts, aNode, someChoices, uncover } from '../testing/a-facts.ts';
import { find, runAll, testTime } from '../testing/find.ts';
import { runChecks } from './run-checks.ts';

const aCheck = (given: Partial<Check> = {}): Check =>
  defineCheck({
    id: 'test.check',
    group: 'Nodes',
    severity: 'blocking',
    goals: ['enable'],
    reads: ['nodes'],
    title: 'It is fine',
    gap: 'It is broken',
    topic: 'It',
    ifIgnored: 'It goes wrong',
    consequence: 'It breaks.',
    remedy: { steps: ['Fix it.'], autofix: 'felix.cleanup-flag' },
    source: 'test',
    run: () => ({ kind: 'pass' }),
    ...given,
  });

const failing: Check['run'] = () => ({
  kind: 'fail',
  because: 'It is not.',
  subjects: [{ kind: 'Node', namespace: null, name: 'a', detail: 'bad' }],
});

function runOne(check: Check, facts = aFacts(), choices = someChoices()) {
  const findings = runChecks(facts, choices, { now: testTime, checks: [check] });
  const [finding] = findings.findings;
  if (!finding) throw new Error('no finding');
  return { ...findings, finding };
}

test('findings are what the schema promises, and the schema can be printed', () => {
  const findings = runAll(aFacts({ nodes: [aNode({ kernel: '4.15.0' })], proxy: { mode: 'ipvs' } }));
  expect(findingsSchema.parse(findings)).toEqual(findings);
  expect(z.toJSONSchema(findingsSchema)).toMatchObject({ type: 'object' });
});

test('a healthy cluster with an endpoint has only questions that need a measurement, and is ready when those are acknowledged', () => {
  const findings = runAll();
  expect(findings.verdict).toBe('needs-answers');
  const unknown = findings.findings.filter(({ status }) => status === 'unknown');
  expect(unknown.map(({ id }) => id)).toContain('network.vxlan-between-nodes');
  expect(unknown.filter(({ notMeasured }) => notMeasured === null)).toEqual([]);
  expect(findings.findings.filter(({ status }) => status === 'fail')).toEqual([]);
  const acknowledge = Object.fromEntries(unknown.map(({ id }) => [id, 'the port is open']));
  expect(runAll(aFacts(), someChoices({ acknowledge })).verdict).toBe('ready');
});

test('findings without a measurement can be accepted together; a reason of their own comes first', () => {
  const acknowledge = { 'not-measured': 'the same image as in our other cluster' };
  expect(runAll(aFacts(), someChoices({ acknowledge })).verdict).toBe('ready');
  const own = { ...acknowledge, 'network.vxlan-between-nodes': 'UDP 4789 is open' };
  expect(find('network.vxlan-between-nodes', {}, { acknowledge: own }).acknowledged).toBe('UDP 4789 is open');
  expect(find('node.bpf-loads', {}, { acknowledge: own }).acknowledged).toBe('the same image as in our other cluster');

  const unread = uncover(aFacts(), 'sctp', 'pools');
  const others = runAll(unread, someChoices({ acknowledge }));
  expect(others.verdict).toBe('needs-answers');
  expect(find('feature.sctp', unread, { acknowledge })).toMatchObject({ status: 'unknown', acknowledged: null });
  expect(find('proxy.not-ipvs', { proxy: { mode: 'ipvs' } }, { acknowledge }).acknowledged).toBe(null);
});

test('only the checks of the goal are there, in the order of the catalogue', () => {
  const ids = runAll(aFacts(), someChoices({ goal: 'undo' })).findings.map(({ id }) => id);
  expect(ids).toEqual(['permissions.plan', 'proxy.gone-without-bpf', 'proxy.can-come-back']);
});

test('a pass becomes unknown, naming the kinds and the rule that is missing, when a part was not readable', () => {
  const { finding } = runOne(aCheck(), uncover(aFacts(), 'nodes'));
  expect(finding).toMatchObject({
    status: 'unknown',
    because: 'Not read: KindOf-nodes (refused, the missing rule is list nodes).',
  });
});

test('a pass or a skip that rests on less needs less', () => {
  const facts = uncover(aFacts(), 'nodes');
  expect(runOne(aCheck({ run: () => ({ kind: 'pass', restsOn: [] }) }), facts).finding.status).toBe('pass');
  expect(runOne(aCheck({ appliesTo: () => ({ because: 'No.' }) }), facts).finding.status).toBe('unknown');
  expect(runOne(aCheck({ appliesTo: () => ({ because: 'No.', restsOn: [] }) }), facts).finding.status).toBe('skipped');
});

test('a fail stays a fail, whatever else was not readable', () => {
  expect(runOne(aCheck({ run: failing }), uncover(aFacts(), 'nodes')).finding.status).toBe('fail');
});

test('a check that throws is our fault: unknown, and the others go on', () => {
  const broken = aCheck({
    run: () => {
      throw new TypeError('x is not a function');
    },
  });
  expect(runOne(broken).finding).toMatchObject({
    status: 'unknown',
    because:
      'Signalbox could not judge this because of a fault of its own (TypeError: x is not a function). Please report it.',
  });
});

test('a fix that was chosen takes a fail out of the verdict, not out of the counts', () => {
  expect(runOne(aCheck({ run: failing }))).toMatchObject({ verdict: 'blocked', finding: { fixedBy: null } });
  expect(runOne(aCheck({ run: failing }), aFacts(), someChoices({ fix: ['test.check'] }))).toMatchObject({
    verdict: 'ready',
    counts: { fail: { blocking: 1 } },
    finding: { status: 'fail', fixedBy: 'felix.cleanup-flag' },
  });
});

test('a fix that does not exist fixes nothing', () => {
  const check = aCheck({ run: failing, remedy: { steps: ['Fix it.'] } });
  expect(runOne(check, aFacts(), someChoices({ fix: ['test.check'] })).verdict).toBe('blocked');
});

test('warnings and unknowns can be acknowledged, blocking fails cannot', () => {
  const choices = someChoices({ acknowledge: { 'test.check': 'known' } });
  const warning = aCheck({ severity: 'warning', run: failing });
  const unknown = aCheck({ run: () => ({ kind: 'unknown', because: 'Not measured.' }) });
  expect(runOne(warning)).toMatchObject({ verdict: 'needs-answers' });
  expect(runOne(warning, aFacts(), choices)).toMatchObject({ verdict: 'ready', finding: { acknowledged: 'known' } });
  expect(runOne(unknown, aFacts(), choices)).toMatchObject({ verdict: 'ready', finding: { acknowledged: 'known' } });
  expect(runOne(aCheck({ run: failing }), aFacts(), choices)).toMatchObject({
    verdict: 'blocked',
    finding: { acknowledged: null },
  });
});

test('an info that fails asks nothing', () => {
  expect(runOne(aCheck({ severity: 'info', run: failing })).verdict).toBe('ready');
});

test('text of a cluster cannot leave its line, its quotes or the terminal', () => {
  const { finding } = runOne(
    aCheck({
      run: () => ({
        kind: 'fail',
        because: 'a\nb\u001b[2J',
        subjects: [{ kind: 'Node', namespace: null, name: '\u202ex', detail: 'y\u0000' }],
        evidence: [{ object: 'Node/x\n', path: 'spec', value: { 'k\u0007': ['v\u0007'] } }],
        remedy: { steps: ['c\td'], command: 'one\ntwo\u001b' },
      }),
    }),
  );
  expect(finding).toMatchObject({
    because: 'a b\\u001b[2J',
    subjects: [{ name: '\\u202ex', detail: 'y\\u0000' }],
    evidence: [{ object: 'Node/x ', value: { 'k\\u0007': ['v\\u0007'] } }],
    remedy: { steps: ['c d'], command: 'one\ntwo\\u001b' },
  });
});

test('with nothing read at all, nothing passes and nothing fails', () => {
  const empty = emptyFacts({ name: 'test', source: 'dump', warnings: [] }, { now: () => 0 });
  const facts = { ...empty, resources: { ...empty.resources, endpointProbe: { because: 'this is a dump' } } };
  for (const goal of ['install', 'enable', 'upgrade', 'undo', 'restore'] as const) {
    const { findings, verdict } = runAll(facts, someChoices({ goal, endpoint: undefined }));
    expect(findings.filter(({ status }) => status !== 'unknown').map(({ id, status }) => `${id} ${status}`)).toEqual(
      [],
    );
    expect(verdict).toBe('needs-answers');
  }
});

test('every fact that a check reads has a name for the sentence that it was not read', () => {
  const facts = aFacts();
  const bare = {
    ...facts,
    coverage: {
      ...facts.coverage,
      ...Object.fromEntries(factKeys.map((key) => [key, { covered: false, missing: [] }])),
    },
  };
  for (const { id, goals } of checks) {
    const [goal = 'enable'] = goals;
    expect(find(id, bare, { goal }).because).not.toMatch(/undefined/);
  }
});

const nodesLive = (source: 'live' | 'dump', missing: { kind: string; because: string; rule?: object }) =>
  aFacts({ cluster: { source }, coverage: { nodes: { covered: false, missing: [missing] } } } as never);

test.each([
  [
    'a rule that is missing',
    'live',
    { kind: 'Node', because: 'refused', rule: { verb: 'list', group: '', resource: 'nodes' } },
    'Ask an administrator to grant you what is missing, with these Roles: list nodes.',
    /kind: ClusterRole[\s\S]*resources: \["nodes"\]/,
  ],
  [
    'a kind that the dump lacks',
    'dump',
    { kind: 'DaemonSet.apps', because: 'the dump has no DaemonSet.apps and no list of them' },
    'Add to the dump what it lacks: DaemonSet.apps.',
    /^kubectl get daemonset\.apps --all-namespaces -o yaml$/,
  ],
  [
    'kinds of Calico and of Helm that the dump lacks',
    'dump',
    { kind: 'IPPool.projectcalico.org', because: 'the dump has no IPPool.projectcalico.org and no list of them' },
    'Add to the dump what it lacks: IPPool.projectcalico.org.',
    /^kubectl get ippool\.crd\.projectcalico\.org --all-namespaces -o yaml$/,
  ],
  [
    'a Secret that the dump lacks',
    'dump',
    { kind: 'Secret', because: 'the dump has no Secret and no list of them' },
    'Add to the dump what it lacks: Secret.',
    /^kubectl get secrets --namespace tigera-operator -l owner=helm -o yaml$/,
  ],
  [
    'what a dump never tells',
    'dump',
    { kind: 'endpoint probe', because: 'nothing is dialled from a dump' },
    'Check the cluster itself: a dump cannot tell this.',
    undefined,
  ],
  [
    'what a dump holds as an answer',
    'dump',
    { kind: 'APIGroupList', because: 'the dump does not contain the API groups' },
    'Add the API groups to the dump, as apis.json.',
    /^kubectl get --raw \/apis > apis\.json$/,
  ],
  [
    'what does not answer',
    'live',
    { kind: 'IPPool.projectcalico.org', because: 'its API is away.' },
    'See to it that IPPool.projectcalico.org can be read: its API is away.',
    undefined,
  ],
] as const)(
  'the remedy of an unknown begins with how to make it known: %s',
  (_words, source, missing, step, command) => {
    const check = aCheck({ remedy: { steps: ['Fix it.', 'Check again.'], command: 'fix it' } });
    const { remedy } = runOne(check, nodesLive(source, missing)).finding;
    expect(remedy.steps).toEqual([step, 'Check again.']);
    expect(remedy.details).toEqual(['If it fails then: Fix it.']);
    if (command) expect(remedy.command).toMatch(command);
    else expect(remedy.command).toBeUndefined();
  },
);

test('an unknown that no reading would end keeps the remedy of its check', () => {
  const check = aCheck({ run: () => ({ kind: 'unknown', because: 'Nobody can tell.' }) });
  expect(runOne(check).finding.remedy.steps).toEqual(['Fix it.']);
});
