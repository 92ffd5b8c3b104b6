import { readCalicoPolicy, readKubernetesPolicy, readTier, type WhyPolicy, type WhyTier } from '#lib/flows/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { fields, texts } from '#lib/kube/read/lenient.ts';
import { resources } from '#lib/spec/index.ts';
import { listObjects, NoSuchKind, openKinds } from '../calico/calico-objects.ts';

export type ClusterPolicies = {
  readonly policies: readonly WhyPolicy[];
  readonly tiers: readonly WhyTier[];
  /** Of all network sets. */
  readonly nets: readonly string[];
  /** Why policies cannot be evaluated; null if they can. */
  readonly notEvaluated: string | null;
};

const calicoKinds = ['networkpolicies', 'globalnetworkpolicies'];
/** Staged kinds, which Calico before v3.30 does not have. */
const stagedKinds = ['stagednetworkpolicies', 'stagedglobalnetworkpolicies'];
const netsOf = fields({ spec: fields({ nets: texts }) });

/** All policies that decide about pods, with their tiers. */
export async function policiesOf(kube: Kube, signal: AbortSignal): Promise<ClusterPolicies> {
  const every = async (words: readonly string[], mayBeAway = false) => {
    const lists = await Promise.all(words.map((word) => calicoObjects(kube, word, mayBeAway, signal)));
    return lists.flat();
  };
  const [calico, staged, stagedKubernetes, kubernetes, tiers, sets, admins] = await Promise.all([
    every(calicoKinds),
    every(stagedKinds, true),
    every(['stagedkubernetesnetworkpolicies'], true),
    collected(kube.list(resources.networkPolicies, { signal })),
    every(['tiers']),
    every(['networksets', 'globalnetworksets'], true),
    adminPolicies(kube, signal),
  ]);
  return {
    policies: [
      ...[...calico, ...staged].flatMap((object) => readCalicoPolicy(object) ?? []),
      ...[...kubernetes, ...stagedKubernetes].map(readKubernetesPolicy),
    ],
    tiers: tiers.map(readTier),
    nets: sets.flatMap((object) => netsOf.parse(object).spec.nets),
    notEvaluated:
      admins.length === 0 ? null : `the cluster has policies that are not judged here: ${admins.join(', ')}`,
  };
}

/** The items of a list may omit their kind. */
async function calicoObjects(kube: Kube, word: string, mayBeAway: boolean, signal: AbortSignal): Promise<KubeObject[]> {
  try {
    const [open] = await openKinds(kube, [word], signal);
    if (open === undefined) return [];
    const { kind } = open.kind.shown;
    const found = await listObjects(kube, open, { namespace: null, labelSelector: null }, signal);
    return found.map(({ shown }) => ({ ...shown, kind }));
  } catch (error) {
    if (mayBeAway && error instanceof NoSuchKind) return [];
    throw error;
  }
}

/** Policies of cluster administrators, evaluated before and after Calico's own tiers. */
async function adminPolicies(kube: Kube, signal: AbortSignal): Promise<string[]> {
  const discovery = await kube.discover({ signal });
  const served = discovery.resources.filter(
    ({ group, plural }) => group === 'policy.networking.k8s.io' && !plural.includes('/'),
  );
  const found = await Promise.all(
    served.map(async (resource) =>
      (await collected(kube.list(resource, { signal }))).length > 0 ? resource.kind : null,
    ),
  );
  return [...new Set(found.filter((kind) => kind !== null))];
}

async function collected(pages: AsyncIterable<{ items: readonly KubeObject[] }>): Promise<KubeObject[]> {
  const all: KubeObject[] = [];
  for await (const { items } of pages) all.push(...items);
  return all;
}
