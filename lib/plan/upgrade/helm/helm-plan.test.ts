import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { choicesSchema, type ReleaseContents } from '#lib/spec/index.ts';
import { mask } from '#lib/text/index.ts';
import { makePlan } from '../../make-plan.ts';
import { parsePlan } from '../../parse-plan.ts';
import { planUndo } from '../../plan-undo.ts';
import { aCluster, someFindings } from '../../testing/a-cluster.ts';
import { aRelease } from '../../testing/a-release.ts';
import { legsOfUpgrade } from '../way-of-upgrade.ts';
import type { HelmRelease } from './installed-by-helm.ts';

const release: HelmRelease = {
  name: 'calico',
  namespace: 'tigera-operator',
  chart: 'tigera-operator-v3.30.7',
  revision: 4,
  status: 'deployed',
  values: { kubeletVolumePluginPath: '/var/lib/kubelet', imagePullSecrets: { pull: mask('looks like a secret') } },
};

/** As from v3.30.4 with eBPF and VXLAN. */
const byHop = { running: aRelease('v3.30.4', 'v1.38.11'), through: [aRelease('v3.30.7', 'v1.38.16')] };

function upgradeOf(given: {
  releases?: Partial<HelmRelease>[];
  running?: ReleaseContents;
  through?: ReleaseContents[];
  chart?: string;
  operators?: Facts['installation']['operators'];
  /** Looked for, and not there. */
  absent?: string;
  definitions?: string[];
  /** Not all of Helm's records could be read. */
  refused?: true;
}) {
  const { releases = [{}], running = aRelease('v3.30.7', 'v1.38.16'), through = [], chart, operators } = given;
  const { absent, definitions = [], refused } = given;
  const { version } = running;
  const facts = aCluster({});
  const missing = [{ kind: 'Secret', because: 'forbidden' }];
  const here: Facts = {
    ...facts,
    coverage: { ...facts.coverage, ...(refused && { helm: { covered: false, missing } }) },
    installation: { ...facts.installation, method: 'helm', version, ...(operators ? { operators } : {}) },
    resources: {
      ...facts.resources,
      helmReleases: releases.map((one) => ({ ...release, ...one })),
      objects: { ...facts.resources.objects, ...(absent === undefined ? {} : { [absent]: null }) },
    },
    upgrade: {
      ...facts.upgrade,
      definitions: definitions.map((name) => ({
        name,
        fingerprint: '',
        generator: null,
        lastAppliedBytes: null,
        writers: [],
      })),
    },
  };
  return makePlan({
    facts: here,
    choices: choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', ...(chart === undefined ? {} : { chart }) }),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: aRelease('v3.31.4', 'v1.40.7'),
    running,
    through,
  });
}

const anOperator = (namespace: string): Facts['installation']['operators'][number] =>
  ({
    ...aCluster({}).installation.operators[0],
    object: `${namespace}/Deployment/tigera-operator`,
  }) as Facts['installation']['operators'][number];

const stepOf = (plan: ReturnType<typeof upgradeOf>) => plan.operations.find(({ id }) => id === 'helm.upgrade');

test('kinds, then the chart by helm, then a wait; the way back rolls back to the revision that was found, and brings the kinds back', () => {
  const plan = upgradeOf({});
  expect(plan.operations.map(({ id }) => id)).toEqual([
    ...['snapshot', 'crds', 'helm.upgrade', 'release.active'],
    ...['verify.pods', 'verify.version', 'verify.services'],
  ]);
  expect(stepOf(plan)?.command.split('\n')[0]).toBe(
    'helm upgrade calico projectcalico/tigera-operator --namespace tigera-operator --history-max 0 --reset-then-reuse-values --version v3.31.4 --set installation.kubeletVolumePluginPath=/var/lib/kubelet',
  );
  expect(stepOf(plan)).toMatchObject({ status: 'needed', effect: 'traffic', previewed: 'computed' });
  expect(stepOf(plan)?.undo?.act).toMatchObject({
    kind: 'sequence',
    steps: [
      { act: { verb: 'rollback', revision: 4 }, done: { of: [{ chart: 'v3.30.7' }, { kind: 'rollout' }] } },
      { act: { kind: 'wait' }, done: { kind: 'upgraded', version: 'v3.30.7' } },
      { act: { kind: 'merge-patch' } },
      { act: { kind: 'merge-patch' } },
    ],
  });
  const seqs = plan.operations.map(({ seq }) => seq);
  expect(planUndo(plan, seqs, null).map(({ title }) => title)).toEqual([
    'Roll the Helm release calico back to revision 4, and wait until v3.30.7 runs on all 3 nodes',
    'Bring the 1 kind back to v3.30.7',
  ]);
});

test('by way of another release Helm upgrades twice, each on the revision before, and goes back from the one to the other', () => {
  const [chart, values] = [
    '/srv/tigera-operator-{version}.tgz',
    { calicoctl: { tag: 'v3.30.4' }, kubeletVolumePluginPath: 'None' },
  ];
  const plan = upgradeOf({ ...byHop, chart, releases: [{ chart: 'tigera-operator-v3.30.4', values }] });
  const each = ['crds', 'helm.upgrade', 'release.active'];
  expect(plan.operations.map(({ id }) => id).slice(0, 7)).toEqual(['snapshot', ...each, ...each]);
  const [first, second] = plan.operations.filter(({ id }) => id === 'helm.upgrade');
  const [record, next] = [first, second].map((one) => one?.reads[0]?.target.name);
  expect([record, next]).toEqual(['sh.helm.release.v1.calico.v4', 'sh.helm.release.v1.calico.v5']);
  // Moved by v3.31 alone.
  expect(first?.act).toMatchObject({
    chart: '/srv/tigera-operator-v3.30.7.tgz',
    version: 'v3.30.7',
    set: { 'calicoctl.tag': 'v3.30.7' },
  });
  expect(second?.act).toMatchObject({
    chart: '/srv/tigera-operator-v3.31.4.tgz',
    set: { 'installation.kubeletVolumePluginPath': 'None', 'calicoctl.tag': 'v3.31.4' },
  });
  expect(second?.diff).toContain('-calicoctl.tag: v3.30.7\n');
  expect(legsOfUpgrade(plan)).toMatchObject({ from: 'v3.30.4', to: [{ version: 'v3.30.7' }, { version: 'v3.31.4' }] });
  const seqs = plan.operations.map(({ seq }) => seq);
  expect(planUndo(plan, seqs, null).map(({ title }) => title)).toEqual([
    'Roll the Helm release calico back to revision 5, and wait until v3.30.7 runs on all 3 nodes',
    'Bring the 1 kind back to v3.30.7',
    'Roll the Helm release calico back to revision 4, and wait until v3.30.4 runs on all 3 nodes',
    'Bring the 1 kind back to v3.30.4',
  ]);
  const copy = JSON.parse(JSON.stringify(plan));
  expect(parsePlan(copy)).toEqual(copy);
  const forged = JSON.parse(
    JSON.stringify(plan).replace('"chart":"/srv/tigera-operator-v3.30.7.tgz"', '"chart":"/srv/elsewhere.tgz"'),
  );
  expect(() => parsePlan(forged)).toThrow(/helm\.upgrade/);
});

const kinds: HelmRelease = {
  ...{ name: 'calico-crds', namespace: 'default', chart: 'crd.projectcalico.org.v1-v3.30.7', revision: 2 },
  ...{ status: 'deployed', holds: 'definitions', values: {} },
};

test('where a Helm release of its own holds the kinds, Helm upgrades that first, and rolls it back last', () => {
  const plan = upgradeOf({ releases: [{}, kinds] });
  expect(plan.operations.map(({ id }) => id).slice(0, 4)).toEqual([
    'snapshot',
    'helm.crds',
    'helm.upgrade',
    'release.active',
  ]);
  const step = plan.operations[1];
  expect(step?.command.split('\n')[0]).toBe(
    'helm upgrade calico-crds projectcalico/crd.projectcalico.org.v1 --namespace default --history-max 0 --reset-then-reuse-values --version v3.31.4',
  );
  expect(step).toMatchObject({
    status: 'needed',
    done: { of: [{ kind: 'helm-deployed', release: 'calico-crds', chart: 'v3.31.4' }, { kind: 'established' }] },
    reads: [{ target: { namespace: 'default', name: 'sh.helm.release.v1.calico-crds.v2' } }],
  });
  const ofRecords = (needs: readonly { resource: string; namespace?: string }[] = []) =>
    needs.filter(({ resource, namespace }) => resource === 'secrets' && namespace === 'default');
  const record = (revision: number) => `sh.helm.release.v1.calico-crds.v${revision}`;
  expect(ofRecords(step?.needs)).toEqual([
    expect.objectContaining({ verbs: ['create', 'list'] }),
    expect.objectContaining({
      verbs: ['get', 'update'],
      names: Array.from({ length: 14 }, (_, i) => record(i + 1)),
    }),
  ]);
  const seqs = plan.operations.map(({ seq }) => seq);
  expect(planUndo(plan, seqs, null).map(({ title }) => title)).toEqual([
    'Roll the Helm release calico back to revision 4, and wait until v3.30.7 runs on all 3 nodes',
    'Roll the Helm release calico-crds, which holds Calico’s kinds, back to revision 2',
  ]);
  const copy = JSON.parse(JSON.stringify(plan));
  expect(parsePlan(copy)).toEqual(copy);
  for (const [from, to] of [
    ['"projectcalico/crd.projectcalico.org.v1"', '"oci://elsewhere/crd.projectcalico.org.v1"'],
    ['"holds":"crd.projectcalico.org.v1"', '"holds":"projectcalico.org.v3"'],
    [
      '"release":"calico-crds","namespace":"default","revision":2',
      '"release":"other","namespace":"default","revision":2',
    ],
  ] as const) {
    const text = JSON.stringify(plan);
    expect(text).toContain(from);
    expect(() => parsePlan(JSON.parse(text.replaceAll(from, to)))).toThrow(/helm\.crds/);
  }
});

test('by a hop the kinds are upgraded twice, each on the revision before, from the chart beside the operator’s', () => {
  const plan = upgradeOf({
    ...byHop,
    chart: '/srv/tigera-operator-{version}.tgz',
    releases: [{ chart: 'tigera-operator-v3.30.4' }, { ...kinds, chart: 'crd.projectcalico.org.v1-v3.30.4' }],
  });
  const steps = plan.operations.filter(({ id }) => id === 'helm.crds');
  expect(steps.map(({ act, reads }) => [Object(act).chart, reads[0]?.target.name])).toEqual([
    ['/srv/crd.projectcalico.org.v1-v3.30.7.tgz', 'sh.helm.release.v1.calico-crds.v2'],
    ['/srv/crd.projectcalico.org.v1-v3.31.4.tgz', 'sh.helm.release.v1.calico-crds.v3'],
  ]);
});

test.each([
  ['of the target', 'v3.31.4', ['already-done', 'already-done'], 'v2'],
  ['later than the target', 'v3.32.1', ['already-done', 'already-done'], 'v2'],
  ['of the hop', 'v3.30.7', ['already-done', 'needed'], 'v2'],
])(
  'kinds that somebody upgraded first, %s, are never brought back to earlier ones',
  (_what, version, status, record) => {
    const chart = `crd.projectcalico.org.v1-${version}`;
    const steps = upgradeOf({
      ...byHop,
      releases: [{ chart: 'tigera-operator-v3.30.4' }, { ...kinds, chart }],
      chart: '/srv/tigera-operator-{version}.tgz',
    }).operations.filter(({ id }) => id === 'helm.crds');
    expect(steps.map((step) => step.status)).toEqual(status);
    expect(steps[1]?.reads[0]?.target.name).toBe(`sh.helm.release.v1.calico-crds.${record}`);
  },
);

test('native kinds that were upgraded by hand first are left as they are, and none of crd.projectcalico.org come beside them', () => {
  const plan = upgradeOf({ releases: [{}, { ...kinds, chart: 'projectcalico.org.v3-v3.31.4' }] });
  expect(plan.operations.map(({ id }) => id).slice(0, 2)).toEqual(['snapshot', 'helm.upgrade']);
});

test('kinds that come with the release go with the way back only once nobody’s objects of them are left', () => {
  const plan = upgradeOf({
    releases: [{}, kinds],
    absent: 'CustomResourceDefinition/installations.operator.tigera.io',
  });
  const step = plan.operations.find(({ id }) => id === 'helm.crds');
  expect(step?.undo?.act).toMatchObject({
    steps: [{ done: { kind: 'only-ours-left', within: [{ name: 'installations.operator.tigera.io' }] } }, {}],
  });
  expect(step?.why).toMatch(/1 kind comes with it \(installations\.operator\.tigera\.io\): the way back deletes/);
  const copy = JSON.parse(JSON.stringify(plan));
  expect(parsePlan(copy)).toEqual(copy);
});

test('the values of the release never stand in its command, whatever they hold, and their difference is shown masked', () => {
  const step = stepOf(upgradeOf({}));
  expect(JSON.stringify(step?.act)).not.toContain('pull');
  expect(step?.diff).toContain(`imagePullSecrets.pull: ${mask('looks like a secret')}`);
  expect(step?.diff).toContain('+installation.kubeletVolumePluginPath: /var/lib/kubelet');
});

test('a plan is read again as it was made, with a chart of one’s own too, and with no other chart than the one that was chosen', () => {
  for (const plan of [upgradeOf({}), upgradeOf({ chart: '/srv/charts/tigera-operator-v3.31.4.tgz' })]) {
    const copy = JSON.parse(JSON.stringify(plan));
    expect(parsePlan(copy)).toEqual(copy);
    const forged = JSON.parse(
      JSON.stringify(plan).replaceAll(/"chart":"[^"]*tigera-operator[^"]*"/g, '"chart":"oci://elsewhere/x"'),
    );
    forged.choices = plan.choices;
    const image = JSON.parse(
      JSON.stringify(plan).replaceAll('installation.kubeletVolumePluginPath', 'tigeraOperator.image'),
    );
    for (const one of [forged, image]) expect(() => parsePlan(one)).toThrow(/helm\.upgrade/);
  }
});

test('each release’s records are asked for where its own helm keeps them', () => {
  const plan = upgradeOf({ releases: [{}, { ...kinds, driver: 'configmap' }] });
  const needsOf = (id: string) =>
    plan.operations
      .find((one) => one.id === id)
      ?.needs.filter(({ names }) => names?.some((name) => name.startsWith('sh.helm.release.v1.')))
      .map(({ resource, namespace }) => `${namespace}/${resource}`);
  expect(needsOf('helm.crds')).toEqual(['default/configmaps']);
  expect(needsOf('helm.upgrade')).toEqual(['tigera-operator/secrets']);
});

test('where Helm keeps its releases in ConfigMaps, they are guarded, written and looked at there, and no Secret is asked for', () => {
  const plan = upgradeOf({ releases: [{ driver: 'configmap' }] });
  const step = stepOf(plan);
  expect(step?.command).toMatch(/^env HELM_DRIVER=configmap helm upgrade calico /);
  expect(step).toMatchObject({
    act: { driver: 'configmap' },
    done: { of: [{ kind: 'helm-deployed', driver: 'configmap' }, {}] },
    reads: [{ target: { resource: { kind: 'ConfigMap' }, name: 'sh.helm.release.v1.calico.v4' } }],
  });
  const { steps = [] } = (step?.undo?.act ?? {}) as { steps?: unknown[] };
  expect(steps[0]).toMatchObject({
    act: { verb: 'rollback', driver: 'configmap' },
    done: { of: [{ driver: 'configmap' }, {}] },
  });
  expect(step?.needs.map(({ resource }) => resource)).not.toContain('secrets');
  const copy = JSON.parse(JSON.stringify(plan));
  expect(parsePlan(copy)).toEqual(copy);
  const forged = JSON.parse(JSON.stringify(plan).replace('"driver":"configmap"', '"driver":"sql"'));
  expect(() => parsePlan(forged)).toThrow(/driver/);
});

test.each<[string, Parameters<typeof upgradeOf>[0], RegExp]>([
  [
    'no release',
    { releases: [] },
    /no Helm release of this cluster holds the operator.*`kubectl apply .*\/v3\.31\.4\/manifests\/operator-crds\.yaml`; `env HELM_DRIVER=sql helm upgrade RELEASE projectcalico\/tigera-operator .*--version v3\.31\.4/,
  ],
  [
    'RKE2’s own',
    { releases: [{ name: 'rke2-calico', namespace: 'kube-system', chart: 'rke2-calico-v3.30.701' }] },
    /upgrade RKE2 itself/,
  ],
  ['two releases', { releases: [{}, { name: 'other' }] }, /2 Helm releases hold an operator, .*tigera-operator\/other/],
  [
    'one whose record cannot be read',
    { releases: [{ values: null, chart: null, revision: 0 }], refused: true },
    /Allow `get` and `list` of Secrets/,
  ],
  [
    'one of which Helm has left nothing but marks',
    { releases: [{ values: null, chart: null, revision: 0, status: 'unknown' }] },
    /Helm has marked the operator as of its release tigera-operator\/calico, and neither Secrets nor ConfigMaps of tigera-operator hold a record of it\. .*off Deployment tigera-operator and Installation default/,
  ],
  [
    'kinds of which Helm has left nothing but marks',
    { releases: [{}, { ...kinds, values: null, chart: null, revision: 0, status: 'unknown' }] },
    /Helm has marked Calico's kinds as of its release default\/calico-crds, .*off Calico's CustomResourceDefinitions/,
  ],
  [
    'one that failed',
    { releases: [{ status: 'failed', deployedBefore: 3 }] },
    /is failed at revision 4.*`helm rollback calico 3 --namespace tigera-operator`/,
  ],
  [
    'one that failed and is kept in ConfigMaps',
    { releases: [{ status: 'failed', deployedBefore: 3, driver: 'configmap' }] },
    /`env HELM_DRIVER=configmap helm rollback calico 3 --namespace tigera-operator`/,
  ],
  ['one that never was deployed', { releases: [{ status: 'pending-install' }] }, /no revision of it was ever deployed/],
  [
    'two releases of the kinds',
    { releases: [{}, kinds, { ...kinds, name: 'other' }] },
    /2 Helm releases hold Calico's kinds/,
  ],
  [
    'kinds whose release failed',
    { releases: [{}, { ...kinds, status: 'failed', deployedBefore: 1 }] },
    /default\/calico-crds, which holds Calico's kinds, is failed at revision 2.*`helm rollback calico-crds 1 --namespace default`/,
  ],
  [
    'kinds whose record cannot be read',
    { releases: [{}, { ...kinds, chart: null, values: null, revision: 0 }], refused: true },
    /record of the release default\/calico-crds, which holds Calico's kinds, could not be read/,
  ],
  [
    'kinds whose chart is looked for beside one of another name',
    { releases: [{}, kinds], chart: '/srv/mine' },
    /chart: Calico's kinds are in the Helm release default\/calico-crds.*\/srv\/mine does not name tigera-operator/,
  ],
  [
    'native kinds of an earlier release, which nothing could take back safely',
    { releases: [{}, { ...kinds, chart: 'projectcalico.org.v3-v3.30.7' }] },
    /no safe way back.*`helm upgrade calico-crds projectcalico\/projectcalico\.org\.v3 --namespace default --version v3\.31\.4`/,
  ],
  [
    'native kinds that no Helm release holds',
    { definitions: ['felixconfigurations.projectcalico.org'] },
    /keeps Calico's resources as projectcalico\.org\/v3 itself/,
  ],
  [
    'a second operator',
    { operators: ['tigera-operator', 'other'].map((namespace) => anOperator(namespace)) },
    /2 operators are installed, .*other\/Deployment\/tigera-operator/,
  ],
  [
    'a hop with the packed chart of one release',
    { ...byHop, chart: '/srv/charts/tigera-operator-v3.31.4.tgz' },
    /goes by v3\.30\.7, and \/srv\/charts\/tigera-operator-v3\.31\.4\.tgz is the chart of one release.*write \{version\}/,
  ],
  [
    'a value to be moved that helm would read as something else',
    { releases: [{ values: { kubeletVolumePluginPath: '/a,installation.registry=evil' } }] },
    /installation\.kubeletVolumePluginPath .* has to be written/,
  ],
])('%s is refused', (_what, given, sentence) => {
  expect(() => upgradeOf(given)).toThrow(sentence);
});

test('a chart of one’s own is named in title and diff, and that no checksum stands for it', () => {
  const step = stepOf(upgradeOf({ chart: 'oci://elsewhere/tigera-operator' }));
  expect(step?.title).toMatch(/to the chart v3\.31\.4 from oci:\/\/elsewhere\/tigera-operator$/);
  expect(step?.diff).toContain('chart tigera-operator-v3.31.4 from oci://elsewhere/tigera-operator\n');
  expect(step?.why).toContain('compared with no checksum: helm trusts oci://elsewhere/tigera-operator.');
  expect(stepOf(upgradeOf({}))?.title).toMatch(/to the chart v3\.31\.4$/);
});
