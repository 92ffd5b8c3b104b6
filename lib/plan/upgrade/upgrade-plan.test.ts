import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { choicesSchema, type ManifestObject, openshiftUpgradeFile, type ReleaseContents } from '#lib/spec/index.ts';
import { mask } from '#lib/text/index.ts';
import { touchesTraffic } from '../changes.ts';
import { makePlan } from '../make-plan.ts';
import { parsePlan } from '../parse-plan.ts';
import { planUndo } from '../plan-undo.ts';
import { planAsShell } from '../shell/plan-as-shell.ts';
import { aCluster, someFindings } from '../testing/a-cluster.ts';
import { aRelease } from '../testing/a-release.ts';
import { stationsOf, wayOfUpgrade } from './way-of-upgrade.ts';

const releases = {
  'v3.30.4': aRelease('v3.30.4', 'v1.38.8'),
  'v3.30.7': aRelease('v3.30.7', 'v1.38.16'),
  'v3.31.4': aRelease('v3.31.4', 'v1.40.7'),
};
type Version = keyof typeof releases;

const vxlanPool: Facts['pools'][number] = {
  name: 'pods',
  cidr: '10.48.0.0/16',
  encapsulation: 'VXLAN',
  natOutgoing: true,
  disabled: false,
};

function upgradeOf(
  from: Version,
  given: {
    through?: Version[];
    running?: null;
    dataplane?: 'BPF';
    method?: Facts['installation']['method'];
    /** Objects of the operators that are there. */
    operators?: string[];
    /** OpenShift's: the bundle that installs, or the file that upgrades. */
    bundle?: 'ocp' | typeof openshiftUpgradeFile;
    pauseBetween?: true;
    objects?: Facts['resources']['objects'];
    /** Objects of the operator in the files of each release, beside its Deployment. */
    besides?: ManifestObject[];
  } = {},
) {
  const facts = aCluster({ objects: given.objects ?? {} });
  const { dataplane, method = 'operator' } = given;
  const actual = dataplane ? { dataplane: { wanted: dataplane, actual: dataplane } } : {};
  const operators = given.operators?.map((object) => ({ object, version: 'v1.38.16', active: true }));
  const found = { method, version: from, ...actual, ...(operators && { operators }) };
  const running: Facts = { ...facts, installation: { ...facts.installation, ...found }, pools: [vxlanPool] };
  const asGiven = (one: ReleaseContents) => (given.bundle ? asBundle(one, given.bundle) : withMore(one, given.besides));
  return makePlan({
    facts: running,
    choices: choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', pauseBetween: given.pauseBetween }),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: asGiven(releases['v3.31.4']),
    running: given.running === null ? null : asGiven(releases[from]),
    through: (given.through ?? []).map((one) => asGiven(releases[one])),
  });
}

function withMore({ manifests, ...release }: ReleaseContents, more: readonly ManifestObject[] = []): ReleaseContents {
  const file = manifests['tigera-operator.yaml'];
  if (file === undefined) throw new Error('the release has no operator');
  return {
    ...release,
    manifests: { ...manifests, 'tigera-operator.yaml': { ...file, objects: [...more, ...file.objects] } },
  };
}

/** As OpenShift has it: one file for all. */
function asBundle({ manifests, ...release }: ReleaseContents, file: string): ReleaseContents {
  const volumes = [{ name: 'resources', configMap: { name: 'calico-resources' } }];
  const objects = (manifests['tigera-operator.yaml']?.objects ?? []).map((object) => {
    const spec = Object(object.spec);
    if (object.kind !== 'Deployment') return object;
    return { ...object, spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, volumes } } } };
  });
  return { ...release, manifests: { [file]: { version: release.version, file, sha256: '2'.repeat(64), objects } } };
}

const verify = ['verify.pods', 'verify.version', 'verify.services'];
const one = ['crds', 'operator.apply', 'release.active'];
const hop = { through: ['v3.30.7'] as Version[], dataplane: 'BPF' as const };

test('an upgrade is kinds, operator and a wait; with a hop each release has its own, and the way back goes through all of them', () => {
  expect(upgradeOf('v3.30.7').operations.map(({ id }) => id)).toEqual(['snapshot', ...one, ...verify]);
  const plan = upgradeOf('v3.30.4', hop);
  expect(wayOfUpgrade(plan)).toEqual({ from: 'v3.30.4', to: 'v3.31.4', hops: 2 });
  expect(plan.operations.map(({ id }) => id)).toEqual(['snapshot', ...one, ...one, ...verify]);
  expect(plan.operations.flatMap(({ id, done }) => (id === 'release.active' ? [done] : []))).toEqual([
    { kind: 'upgraded', version: 'v3.30.7' },
    { kind: 'upgraded', version: 'v3.31.4' },
  ]);
  const back = planUndo(
    plan,
    plan.operations.map(({ seq }) => seq),
    null,
  );
  expect(back.map(({ title }) => title)).toEqual([
    'Bring the earlier operator back, and wait until v3.30.7 runs on all 3 nodes',
    'Bring the 1 kind back to v3.30.7',
    'Bring the earlier operator back, and wait until v3.30.4 runs on all 3 nodes',
    'Bring the 1 kind back to v3.30.4',
  ]);
});

test('where it is asked for, the plan pauses between both releases, as a script too', () => {
  const [atOnce, paused] = [upgradeOf('v3.30.4', hop), upgradeOf('v3.30.4', { ...hop, pauseBetween: true })];
  const second = paused.operations.filter(({ id }) => id === 'crds')[1]?.seq;
  expect([stationsOf(atOnce), stationsOf(paused)]).toEqual([[], [{ version: 'v3.30.7', before: second }]]);
  expect(planAsShell(paused)).toMatch(/Wait until Calico v3\.30\.7[\s\S]*\nread -r _\n\n# 5\. crds/);
  expect(planAsShell(atOnce)).not.toContain('read -r _');
  // One release has nothing between.
  expect(stationsOf(upgradeOf('v3.30.7', { pauseBetween: true }))).toEqual([]);
});

test('the way back takes out what operators write from v3.31 on only where the upgrade went there', () => {
  const backOf = (plan: ReturnType<typeof upgradeOf>) =>
    plan.operations.flatMap(({ id, undo }) => (id === 'operator.apply' ? [JSON.stringify(undo?.act)] : []));
  const written = expect.stringContaining('nonPrivileged');
  expect(backOf(upgradeOf('v3.30.4', hop))).toEqual([expect.not.stringContaining('nonPrivileged'), written]);
});

test('settings carried over from the operator’s pod must be unchanged when it is replaced', () => {
  const { operations } = upgradeOf('v3.30.7');
  const [guard] = operations.find(({ id }) => id === 'operator.apply')?.reads ?? [];
  const guarded = guard?.expected.map(({ path }) => path.slice(3).join('.'));
  const peoples = ['dnsConfig', 'affinity', 'priorityClassName', 'imagePullSecrets', 'containers.0.resources'];
  expect(guarded).toEqual(expect.arrayContaining(peoples));
});

test('the operator’s place is what touches traffic: from then on nodes change', () => {
  expect(
    upgradeOf('v3.30.7')
      .operations.filter(touchesTraffic)
      .map(({ id }) => id),
  ).toEqual(['operator.apply']);
});

test('a plan is read again as it was made, hop or not, with the files of the release that runs or without', () => {
  for (const plan of [upgradeOf('v3.30.7'), upgradeOf('v3.30.7', { running: null }), upgradeOf('v3.30.4', hop)])
    expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
});

test('without the files of the release that runs the kinds stay, which is said before the start', () => {
  const plan = upgradeOf('v3.30.7', { running: null });
  const kinds = plan.operations.find(({ id }) => id === 'crds');
  expect(kinds).toMatchObject({ undo: null, why: expect.stringContaining('There is no way back for them') });
  expect(plan.operations.find(({ id }) => id === 'operator.apply')?.undo).not.toBeNull();
});

/** The operator as its release's file has it. */
const operatorOf = (operator: string) =>
  aRelease('v3.31.4', operator).manifests['tigera-operator.yaml']?.objects[0] as ManifestObject;

test('an attempt that stopped after the operator was replaced is carried on: what is left is done, and no way back is promised', () => {
  const upgradedFrom = (operator: string) => {
    const objects = { 'tigera-operator/Deployment/tigera-operator': operatorOf(operator) };
    const plan = upgradeOf('v3.30.7', { objects });
    expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
    return plan.operations.find(({ id }) => id === 'operator.apply');
  };
  expect(upgradedFrom('v1.38.16')).toMatchObject({ status: 'needed', undo: { phase: 'release' } });
  expect(upgradedFrom('v1.40.7')).toMatchObject({
    undo: null,
    why: expect.stringContaining('so this run cannot bring v3.30.7 back'),
  });
});

test('with a hop, the operator of the release after it has no way back either: what was found is of no release that ran', () => {
  const found = { 'tigera-operator/Deployment/tigera-operator': operatorOf('v1.40.7') };
  const plan = upgradeOf('v3.30.4', { ...hop, objects: found });
  const undone = plan.operations.flatMap(({ id, undo }) => (id === 'operator.apply' ? [undo?.title ?? null] : []));
  expect(undone).toEqual([null, 'Bring the earlier operator back, and wait until v3.30.7 runs on all 3 nodes']);
});

const role: ManifestObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'tigera-operator' },
  rules: [],
};

test.each<[string, Facts['resources']['objects'], deleted: boolean, why: RegExp]>([
  ['could not be read stays', {}, false, /ClusterRole\/tigera-operator could not be read, so the way back leaves it/],
  ['was not there is deleted', { 'ClusterRole/tigera-operator': null }, true, /resources, DNS\.$/],
])('a role of the operator that %s on the way back', (_what, objects, deleted, why) => {
  const plan = upgradeOf('v3.30.7', { objects, besides: [role] });
  const step = plan.operations.find(({ id }) => id === 'operator.apply');
  expect(step?.why).toMatch(why);
  const back = JSON.stringify(step?.undo?.act);
  expect({ deleted: back.includes('"kind":"delete"'), operator: back.includes('"kind":"merge-patch"') }).toEqual({
    deleted,
    operator: true,
  });
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
});

test('a password in the environment of the operator stops the plan: the upgrade would write its mask', () => {
  const found = operatorOf('v1.38.16');
  const [container] = (found.spec as { template: { spec: { containers: object[] } } }).template.spec.containers;
  const proxy = { name: 'HTTPS_PROXY', value: `http://${mask('looks like a password')}@proxy.example:3128` };
  const spec = { template: { spec: { containers: [{ ...container, env: [proxy] }] } } };
  const objects = { 'tigera-operator/Deployment/tigera-operator': { ...found, spec } };
  expect(() => upgradeOf('v3.30.7', { objects })).toThrow(
    'goal: tigera-operator/Deployment/tigera-operator has a value that looks like a secret',
  );
});

const mounted = 'tigera-operator/ConfigMap/calico-resources';

test('OpenShift is upgraded by the file for it, which brings no kinds: release by release as elsewhere', () => {
  const objects = { [mounted]: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'calico-resources' } } };
  const plan = upgradeOf('v3.30.4', { ...hop, bundle: openshiftUpgradeFile, objects });
  const leg = ['operator.apply', 'release.active'];
  expect(plan.operations.map(({ id }) => id)).toEqual(['snapshot', ...leg, ...leg, ...verify]);
  expect(plan.operations[1]?.why).toContain('they stay when the run is taken back');
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
});

const kindId = 'CustomResourceDefinition/installations.operator.tigera.io';
/** The kind as the cluster has it. */
const kindOf = (version: Version, more: object = {}) => {
  const [found] = releases[version].manifests['operator-crds.yaml']?.objects ?? [];
  return { ...(found as ManifestObject), ...more };
};

test('kinds of the target that are there already are brought again after a hop has set them back', () => {
  const { operations } = upgradeOf('v3.30.4', { ...hop, objects: { [kindId]: kindOf('v3.31.4') } });
  expect(operations.flatMap(({ id, status }) => (id === 'crds' ? [status] : []))).toEqual(['needed', 'needed']);
});

test.each<[string, object, undo: string | null, why: RegExp]>([
  ['as the release that runs has it', kindOf('v3.30.7'), 'Bring the 1 kind back to v3.30.7', /taken over\.$/],
  ['with what the server adds', kindOf('v3.30.7', { status: {} }), 'Bring the 1 kind back to v3.30.7', /taken over\.$/],
  ['of another release', kindOf('v3.30.4'), null, /1 kind is not as the files of v3\.30\.7 have it, .*: installations/],
])('a kind %s: its way back', (_what, found, undo, why) => {
  const plan = upgradeOf('v3.30.7', { objects: { [kindId]: found as ManifestObject } });
  const kinds = plan.operations.find(({ id }) => id === 'crds');
  expect({ undo: kinds?.undo?.title ?? null, why: kinds?.why }).toEqual({ undo, why: expect.stringMatching(why) });
});

test.each<[string, Parameters<typeof upgradeOf>, RegExp]>([
  ['a hop whose files are missing', ['v3.30.4', { dataplane: 'BPF' }], /goes by v3\.30\.7, whose files were not found/],
  [
    'an installation by Helm whose release is not found',
    ['v3.30.7', { method: 'helm' }],
    /no Helm release of this cluster/,
  ],
  ['a manifest without its file', ['v3.30.7', { method: 'manifest-kdd' }], /has no calico\.yaml of v3\.31\.4/],
  [
    'OpenShift, with what to do by hand',
    ['v3.30.7', { bundle: 'ocp' }],
    /OpenShift is upgraded with .*v3\.31\.4\/manifests\/tigera-operator-ocp-upgrade\.yaml/,
  ],
  [
    'OpenShift without a ConfigMap that the file mounts',
    ['v3.30.7', { bundle: openshiftUpgradeFile, objects: { [mounted]: null } }],
    /`oc create configmap -n tigera-operator calico-resources`/,
  ],
  [
    'an operator in another namespace than the file’s',
    ['v3.30.7', { operators: ['operators/Deployment/tigera-operator'] }],
    /the operator that runs is operators\/Deployment\/tigera-operator, .* a second one beside it/,
  ],
  [
    'two operators',
    ['v3.30.7', { operators: ['tigera-operator/Deployment/tigera-operator', 'other/Deployment/tigera-operator'] }],
    /2 operators are installed/,
  ],
  ['nothing to upgrade', ['v3.30.7', { method: 'none' }], /nothing to upgrade/],
])('%s is refused', (_what, given, sentence) => {
  expect(() => upgradeOf(...given)).toThrow(sentence);
});
