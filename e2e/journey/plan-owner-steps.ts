import { type Dependant, scanDependants } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { makePlan, type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import { aCluster, someFindings } from '#lib/plan/testing/a-cluster.ts';
import { choicesSchema, type ManifestObject, type ReleaseContents, resources } from '#lib/spec/index.ts';

/**
 * The plan of an upgrade from v3.27.5 to v3.31.4 with what is owned on this cluster, and of it the steps about owner references alone: no stand-in plays
 * an operator of v3.27.
 */
export async function planOwnerSteps(kube: Kube): Promise<{ whole: Plan; alone: Plan }> {
  const dependants: Dependant[] = [];
  const missing = await scanDependants(kube, (one) => dependants.push(one));
  if (missing.length > 0) throw new Error(`not all was read: ${JSON.stringify(missing)}`);
  const facts = aCluster();
  const whole = makePlan({
    facts: {
      ...facts,
      installation: { ...facts.installation, version: 'v3.27.5' },
      upgrade: { ...facts.upgrade, dependants },
    },
    choices: choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4' }),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: aRelease(),
  });
  const operations = whole.operations
    .filter(({ id }) => id.startsWith('owner-refs.') || id === 'snapshot')
    .map((operation, index) => ({ ...operation, seq: index + 1 }));
  const system = await kube.get({ resource: resources.namespaces, name: 'kube-system' });
  const alone = { ...whole, clusterUid: system?.metadata.uid ?? null, operations };
  return { whole, alone: parsePlan(JSON.parse(JSON.stringify({ ...alone, hash: planHash(alone) }))) };
}

function aRelease(): ReleaseContents {
  const version = 'v3.31.4';
  const deployment: ManifestObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
    spec: {
      template: { spec: { containers: [{ name: 'tigera-operator', image: 'quay.io/tigera/operator:v1.40.7' }] } },
    },
  };
  const definition: ManifestObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'installations.operator.tigera.io' },
  };
  const files = { 'operator-crds.yaml': [definition], 'tigera-operator.yaml': [deployment] };
  const manifests = Object.entries(files).map(([file, objects], index) => [
    file,
    { version, file, sha256: `${index}`.repeat(64), objects },
  ]);
  return { version, operator: 'v1.40.7', source: 'a test', manifests: Object.fromEntries(manifests) };
}
