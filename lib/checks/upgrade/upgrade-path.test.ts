import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { gates } from '#lib/spec/index.ts';
import { aFacts, type Overrides, someChoices, uncover } from '../testing/a-facts.ts';
import { find, runAll } from '../testing/find.ts';
import { releasesThrough } from './upgrade-path.ts';

function pathFrom(version: string | null, release: string | undefined, more: Overrides<Facts> = {}) {
  const { installation, ...rest } = more;
  const facts = aFacts({ ...rest, installation: { version, ...installation } });
  return find('upgrade.path', facts, { goal: 'upgrade', ...(release === undefined ? {} : { release }) });
}

const [pool] = aFacts().pools as [Facts['pools'][number]];
const bpf = { installation: { dataplane: { wanted: 'BPF', actual: 'BPF' } } } as const;
const bpfBy = (method: Facts['installation']['method']) => ({ installation: { ...bpf.installation, method } }) as const;
const bpfUnknown = bpfBy('unknown');
const helm = { installation: { method: 'helm' } } as const;
const withApiServer = {
  resources: {
    objects: {
      'APIServer/default': { apiVersion: 'operator.tigera.io/v1', kind: 'APIServer', metadata: { name: 'default' } },
    },
  },
};
const apiServer = { resources: { objects: { 'APIServer/default': null } } };
const kubernetes = { cluster: { kubernetesVersion: 'v1.24.17' } };
const oldValues = {
  resources: {
    helmReleases: [
      {
        name: 'calico',
        namespace: 'tigera-operator',
        chart: 'tigera-operator-v3.30.7',
        revision: 1,
        status: 'deployed',
        values: { kubeletVolumePluginPath: '/var/lib/kubelet' },
      },
    ],
  },
};

test.each<[string, string, string, Overrides<Facts>, string, string]>([
  ['a plain step', 'v3.31.4', 'v3.31.7', {}, 'pass', 'blocking'],
  ['without the v', 'v3.31.4', '3.31.7', {}, 'pass', 'blocking'],
  ['the spec’s target, with better patches of it', 'v3.30.7', 'v3.31.4', {}, 'fail', 'info'],
  ['nothing to do', 'v3.31.4', 'v3.31.4', {}, 'pass', 'blocking'],
  ['a downgrade', 'v3.31.4', 'v3.30.7', {}, 'fail', 'blocking'],
  ['too old', 'v3.14.2', 'v3.31.7', {}, 'fail', 'blocking'],
  ['the oldest that can', 'v3.15.0', 'v3.31.7', {}, 'pass', 'blocking'],
  ['V1: eBPF from v3.30.4, where the plan goes by v3.30.7', 'v3.30.4', 'v3.31.7', bpf, 'fail', 'info'],
  ['V1: eBPF from v3.30.4 by Helm', 'v3.30.4', 'v3.31.7', bpfBy('helm'), 'fail', 'info'],
  ['V1: eBPF from v3.30.4 by manifest', 'v3.30.4', 'v3.31.7', bpfBy('manifest-kdd'), 'fail', 'info'],
  [
    'V1: eBPF from v3.30.4, installed in a way that is not recognised',
    'v3.30.4',
    'v3.31.7',
    bpfUnknown,
    'fail',
    'blocking',
  ],
  [
    'V1: not without VXLAN',
    'v3.30.4',
    'v3.31.7',
    { ...bpf, pools: [{ ...pool, encapsulation: 'None' }] },
    'pass',
    'blocking',
  ],
  [
    'V1: with VXLAN on one pool of two',
    'v3.30.4',
    'v3.31.7',
    {
      ...bpf,
      pools: [
        { ...pool, encapsulation: 'IPIP' },
        { ...pool, encapsulation: 'VXLANCrossSubnet' },
      ],
    },
    'fail',
    'info',
  ],
  ['V1: not from v3.30.7', 'v3.30.7', 'v3.31.7', bpf, 'pass', 'blocking'],
  ['V1: not on the standard data plane', 'v3.30.4', 'v3.31.7', {}, 'pass', 'blocking'],
  ['V7: Kubernetes 1.24', 'v3.27.5', 'v3.28.4', kubernetes, 'fail', 'blocking'],
  ['V8: a value at its old place', 'v3.30.7', 'v3.31.7', oldValues, 'fail', 'warning'],
  ['V11: a release with a better one', 'v3.30.7', 'v3.31.2', {}, 'fail', 'info'],
  ['V8: the same by Helm, where the plan moves it', 'v3.30.7', 'v3.31.7', { ...oldValues, ...helm }, 'fail', 'info'],
  [
    'V19: Helm to v3.32, whose CRDs the plan applies first',
    'v3.31.7',
    'v3.32.3',
    { ...helm, ...withApiServer },
    'fail',
    'info',
  ],
  ['V20: no APIServer', 'v3.31.7', 'v3.32.3', apiServer, 'fail', 'warning'],
  ['V21: foreign WireGuard is for people to see', 'v3.31.7', 'v3.32.1', {}, 'fail', 'warning'],
  ['a release that nobody knows', 'v3.31.7', 'v3.31.99', {}, 'unknown', 'blocking'],
])('%s: %s to %s', (_name, from, to, facts, status, severity) => {
  expect(pathFrom(from, to, facts)).toMatchObject({ status, severity });
});

test.each<[string, string, string, Overrides<Facts>, string]>([
  ['its condition', 'v3.30.7', 'v3.31.7', oldValues, 'Known fault: Crossing v3.31 with Helm'],
  ['its gate where that is too long', 'v3.30.4', 'v3.31.7', bpfUnknown, 'Known fault on the way to v3.31.7: gate V1'],
  ['none where it only gives advice', 'v3.30.7', 'v3.31.4', {}, 'The way to the target release has obstacles'],
])('the title names the worst fault: %s', (_name, from, to, facts, title) => {
  expect(pathFrom(from, to, facts).title).toBe(title);
  expect(title.length).toBeLessThanOrEqual(60);
});

test('a hop names the release to go by, and the command that looks at it', () => {
  const finding = pathFrom('v3.30.4', 'v3.31.4', bpfUnknown);
  expect(finding.because).toMatch(
    /^Known faults on the way from v3\.30\.4 to v3\.31\.4: From v3\.30\.0–v3\.30\.6 to v3\.31 or later, with eBPF and VXLAN \(gate V1\); .*\(gate V12\)/,
  );
  expect(finding.remedy.steps[0]).toContain('Upgrade to v3.30.7 first');
  expect(finding.remedy.command).toBe('signalbox check --goal upgrade --release v3.30.7');
});

test('a release that is not chosen is proposed, and that is no pass', () => {
  expect(pathFrom('v3.30.7', undefined)).toMatchObject({
    status: 'unknown',
    because: 'v3.31.7 is proposed, the newest patch that is known, and not accepted yet.',
    remedy: { command: 'signalbox check --goal upgrade --release v3.31.7' },
  });
  const accepted = { goal: 'upgrade', acceptProposals: true } as const;
  expect(find('upgrade.path', { installation: { version: 'v3.30.7' } }, accepted).status).toBe('pass');
  // A proposal that is bad fails all the same.
  expect(pathFrom('v3.30.4', undefined, bpf).status).toBe('unknown');
  expect(pathFrom('v3.30.4', undefined, bpfUnknown)).toMatchObject({ status: 'fail', severity: 'blocking' });
});

test.each([
  ['nothing newer is known', 'v3.33.9', undefined, 'fail', /^No release is chosen/],
  ['the target is not a release', 'v3.30.7', 'latest', 'fail', /^"latest" is not a release/],
  ['a patch is missing', 'v3.30.7', 'v3.31', 'fail', /^"v3.31" is not a release/],
  ['what runs cannot be told', null, 'v3.31.4', 'unknown', /^The release of Calico that runs was not read/],
  ['what runs is no release', 'master', 'v3.31.4', 'unknown', /^"master" runs, which is not a release/],
])('%s', (_name, from, to, status, because) => {
  const finding = pathFrom(from, to);
  expect(finding).toMatchObject({ status, severity: 'blocking' });
  expect(finding.because).toMatch(because);
});

test('without a release to go to, this check blocks and the others have nothing to judge', () => {
  const { findings } = runAll(aFacts(), someChoices({ goal: 'upgrade', release: 'latest' }));
  const judging = findings.filter(({ because }) => because.includes('upgrade.path says why'));
  expect(judging.map(({ status }) => status)).toEqual(judging.map(() => 'skipped'));
  expect(judging.map(({ id }) => id)).toContain('upgrade.owner-references');
});

test('without Calico it does not apply; what could not be read makes it unknown', () => {
  expect(pathFrom('v3.30.7', 'v3.31.7', { installation: { method: 'none' } }).status).toBe('skipped');
  const unread = uncover(aFacts({ installation: { version: 'v3.30.7' } }), 'helm');
  expect(find('upgrade.path', unread, { goal: 'upgrade', release: 'v3.31.7' }).status).toBe('unknown');
  // Only what decides has to be known: no row from v3.31.4 on is about Helm's values or the data plane.
  const later = uncover(aFacts(), 'helm', 'dataplane', 'cluster');
  expect(find('upgrade.path', later, { goal: 'upgrade', release: 'v3.31.7' }).status).toBe('pass');
  const undecided = { installation: { dataplane: { wanted: null, actual: 'unknown' } } } as const;
  expect(pathFrom('v3.30.4', 'v3.31.7', undecided).because).toContain('(gate V1)');
  const noPools = uncover(aFacts({ pools: [], installation: { ...bpf.installation, version: 'v3.30.4' } }), 'pools');
  expect(find('upgrade.path', noPools, { goal: 'upgrade', release: 'v3.31.7' })).toMatchObject({
    status: 'unknown',
    because: expect.stringContaining('(gate V1)'),
  });
});

test('every gate that this check is said to report has a case above, or is told as a note', () => {
  const own = gates.filter(({ checks }) => checks.includes('upgrade.path')).map(({ id }) => id);
  expect(own).toEqual(['V1', 'V7', 'V8', 'V11', 'V12', 'V13', 'V19', 'V20', 'V21', 'V22']);
  expect(pathFrom('v3.30.7', 'v3.31.2').because).toMatch(/gate V11.*gate V12.*gate V13.*gate V22/);
});

test.each<[string, string, string, Overrides<Facts>, string[]]>([
  ['eBPF from v3.30.4', 'v3.30.4', 'v3.31.4', bpf, ['v3.30.7']],
  ['eBPF from v3.30.7', 'v3.30.7', 'v3.31.4', bpf, []],
  ['the standard data plane', 'v3.30.4', 'v3.31.4', {}, []],
  ['not over v3.31', 'v3.30.4', 'v3.30.6', bpf, []],
])('the releases by way of which one goes: %s', (_name, from, to, { installation }, expected) => {
  const facts = aFacts({ installation: { version: from, ...installation } });
  expect(releasesThrough(facts, someChoices({ goal: 'upgrade', release: to }))).toEqual(expected);
});
