import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { choicesSchema, type ReleaseContents, schemaFingerprint } from '#lib/spec/index.ts';
import { rulesNamedBy } from '../../access/rules-for.ts';
import { makePlan } from '../../make-plan.ts';
import { PlanError } from '../../plan-error.ts';
import { aCluster, someFindings } from '../../testing/a-cluster.ts';
import { aRelease } from '../../testing/a-release.ts';
import type { HelmRelease } from './installed-by-helm.ts';

const kind = 'installations.operator.tigera.io';
const deployed = { revision: 4, status: 'deployed', values: {} };
const ofOperator: HelmRelease = {
  ...{ name: 'calico', namespace: 'tigera-operator', chart: 'tigera-operator-v3.30.7', ...deployed },
};
const platform = { name: 'platform', namespace: 'platform', chart: 'platform-1.2.0', ...deployed };
const kinds = (chart: string): HelmRelease => ({ ...platform, name: 'kinds', chart, holds: 'definitions' });

/** The same, with a schema that can be compared. */
function withSchema(release: ReleaseContents): ReleaseContents {
  const manifests = Object.fromEntries(
    Object.entries(release.manifests).map(([file, manifest]) => {
      const versions = [{ name: 'v1', served: true, storage: true, schema: { of: release.version } }];
      const objects = manifest.objects.map((one) =>
        one.kind === 'CustomResourceDefinition' ? { ...one, spec: { versions } } : one,
      );
      return [file, { ...manifest, objects }];
    }),
  );
  return { ...release, manifests };
}

const [from, to] = [aRelease('v3.30.7', 'v1.38.16'), aRelease('v3.31.4', 'v1.40.7')].map(withSchema) as [
  ReleaseContents,
  ReleaseContents,
];
const fingerprintOf = ({ manifests }: ReleaseContents) =>
  schemaFingerprint(manifests['operator-crds.yaml']?.objects[0] ?? {}) ?? '';

type Given = { method?: 'helm' | 'operator'; releases: HelmRelease[]; live?: ReleaseContents };

function factsOf({ method = 'helm', releases, live = from }: Given): Facts {
  const facts = aCluster({});
  const found = { name: kind, fingerprint: fingerprintOf(live), generator: null, lastAppliedBytes: null, writers: [] };
  return {
    ...facts,
    installation: { ...facts.installation, method, version: 'v3.30.7' },
    resources: { ...facts.resources, helmReleases: releases },
    upgrade: { ...facts.upgrade, definitions: [found] },
  };
}

const stepsOf = (given: Given, through: ReleaseContents[] = []) =>
  makePlan({
    facts: factsOf(given),
    choices: choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4' }),
    findings: someFindings(),
    now: '2026-11-27T00:00:00.000Z',
    release: to,
    running: from,
    through,
  }).operations.map(({ id }) => id);

function refusalOf(...given: Parameters<typeof stepsOf>): string {
  try {
    stepsOf(...given);
  } catch (error) {
    if (error instanceof PlanError) return error.message;
    throw error;
  }
  throw new Error('it was planned');
}

const commandsIn = (sentence: string) => [...sentence.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);

const umbrella: HelmRelease = { ...platform, holds: 'definitions' };

test('kinds that a chart of one’s own holds are never applied beside it: they are asked for there first', () => {
  expect(() => stepsOf({ releases: [ofOperator, umbrella] })).toThrow(
    /platform\/platform holds Calico's kinds by a chart of its own, platform-1\.2\.0: .*Bring the kinds of v3\.31\.4 into that chart .*`helm upgrade platform --namespace platform CHART --reset-then-reuse-values`/,
  );
});

test('once they are those of the target they are left as they are, and nobody asks for the records of that release', () => {
  const given = { releases: [ofOperator, umbrella], live: to };
  const steps = stepsOf(given);
  expect(steps).not.toContain('crds');
  expect(steps).not.toContain('helm.crds');
  expect(steps).toContain('helm.upgrade');
  const named = rulesNamedBy(factsOf(given), choicesSchema.parse({ goal: 'upgrade' }));
  expect(named).not.toEqual([]);
  expect(named.filter(({ namespace }) => namespace === 'platform')).toEqual([]);
});

test('a chart of one’s own that holds neither kinds nor the operator changes nothing', () => {
  expect(stepsOf({ releases: [ofOperator, platform] })).toContain('crds');
});

const files = 'https://raw.githubusercontent.com/projectcalico/calico';
const umbrellaWithOperator: Given = { releases: [{ ...platform, holds: 'operator' }] };

test('an operator in a chart of one’s own is told so, with every command of the upgrade by hand and of its way back', () => {
  const sentence = refusalOf(umbrellaWithOperator);
  expect(sentence).toContain(
    'the Helm release platform/platform holds the operator by a chart of its own, platform-1.2.0',
  );
  expect(commandsIn(sentence)).toEqual([
    `kubectl apply --server-side --force-conflicts -f ${files}/v3.31.4/manifests/operator-crds.yaml`,
    'version: v3.31.4',
    'helm dependency update CHART',
    'helm upgrade platform --namespace platform CHART --reset-then-reuse-values',
    'kubectl get installation default -o jsonpath={.status.calicoVersion}',
    'kubectl rollout status -n calico-system daemonset/calico-node',
    "helm get manifest platform --namespace platform | grep '^kind: CustomResourceDefinition'",
    'helm rollback platform 4 --namespace platform',
    'kubectl annotate customresourcedefinitions KIND helm.sh/resource-policy=keep',
    'check --goal upgrade',
  ]);
  expect(sentence).toContain('it deletes those that revision 4 lacks, with all objects of them: keep them by');
});

test('by a hop, the release between is upgraded to by hand in the same way first', () => {
  const commands = commandsIn(refusalOf(umbrellaWithOperator, [aRelease('v3.30.7', 'v1.38.16')]));
  expect(commands.filter((one) => one.startsWith('version: '))).toEqual(['version: v3.30.7', 'version: v3.31.4']);
  expect(commands.filter((one) => one.startsWith('helm upgrade '))).toHaveLength(2);
});

test('the operator and the kinds of RKE2’s own charts are RKE2’s to upgrade', () => {
  const ofRke2 = { ...platform, namespace: 'kube-system', name: 'rke2-calico', chart: 'rke2-calico-v3.30.701' };
  const releases: HelmRelease[] = [
    { ...ofRke2, holds: 'operator' },
    { ...ofRke2, name: 'rke2-calico-crd', chart: 'rke2-calico-crd-v3.30.701', holds: 'definitions' },
  ];
  expect(() => stepsOf({ releases })).toThrow(/Of RKE2, upgrade RKE2 itself/);
});

test.each([
  ['the published chart', kinds('crd.projectcalico.org.v1-v3.30.7'), /`helm upgrade kinds projectcalico\/crd\.proj/],
  ['the native kinds', kinds('projectcalico.org.v3-v3.30.7'), /`helm upgrade kinds projectcalico\/projectcalico\.org/],
  ['a chart of one’s own', umbrella, /Bring the kinds of v3\.31\.4 into that chart/],
])('where the operator is no Helm release’s, kinds by Helm are asked for first too: %s', (_what, release, sentence) => {
  expect(() => stepsOf({ method: 'operator', releases: [release] })).toThrow(sentence);
});

test('and are left once they are those of the target; marks whose record is gone hold nobody up', () => {
  const native = kinds('projectcalico.org.v3-v3.31.4');
  expect(stepsOf({ method: 'operator', releases: [native] })).not.toContain('crds');
  expect(stepsOf({ method: 'operator', releases: [umbrella], live: to })).not.toContain('crds');
  const stale: HelmRelease = { ...umbrella, chart: null, values: null, revision: 0, status: 'unknown' };
  expect(stepsOf({ method: 'operator', releases: [stale] })).toContain('crds');
});
