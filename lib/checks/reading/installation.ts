import { z } from 'zod';
import type { Evidence, Facts } from '#lib/facts/index.ts';
import { type Choices, names, objectId, resources } from '#lib/spec/index.ts';

export const installationId = objectId({ resource: resources.installations, name: names.installation });

const calicoNetworkSchema = z.object({
  spec: z.object({ calicoNetwork: z.record(z.string(), z.unknown()).catch({}) }).catch({ calicoNetwork: {} }),
});

/** A field of `spec.calicoNetwork` of Installation `default`; undefined if unset or without an Installation. */
function calicoNetworkField(facts: Facts, field: string): unknown {
  const parsed = calicoNetworkSchema.safeParse(facts.resources.objects[installationId] ?? {});
  return parsed.success ? parsed.data.spec.calicoNetwork[field] : undefined;
}

/** A field of the Installation's `spec.calicoNetwork` as evidence; null if it is not set. */
export function calicoNetworkEvidence(facts: Facts, field: string): Evidence {
  return {
    object: installationId,
    path: `spec.calicoNetwork.${field}`,
    value: calicoNetworkField(facts, field) ?? null,
  };
}

/** Whether `bpfNetworkBootstrap: Enabled` is installed or chosen. With it, the endpoint ConfigMap is neither needed nor allowed (calico.md §3.3, §13.1). */
export function bootstrapMode(facts: Facts, choices: Choices): 'installed' | 'chosen' | 'off' {
  if (calicoNetworkField(facts, 'bpfNetworkBootstrap') === 'Enabled') return 'installed';
  const isChosen = choices.automatic === true || choices.set['calicoNetwork.bpfNetworkBootstrap'] === 'Enabled';
  return isChosen ? 'chosen' : 'off';
}

/** Whether Calico was installed by one of its manifests: no operator, no Installation, no TigeraStatus. */
export function isManifestInstall({ installation: { method } }: Facts): boolean {
  return method === 'manifest-kdd' || method === 'manifest-etcd';
}

/** Whether Calico runs here by a known method, so that its upgrade can be planned. */
export function isKnownInstall({ installation: { method } }: Pick<Facts, 'installation'>): boolean {
  return method !== 'none' && method !== 'unknown';
}

/** The release's file that a manifest installation was made from, e.g. `canal-etcd.yaml`. */
export function manifestFileOf({ installation: { manifest, method } }: Facts): string {
  const unnamed = method === 'manifest-etcd' ? 'calico-etcd' : 'calico';
  return `${manifest === 'policy-only' ? 'calico-policy-only' : (manifest ?? unnamed)}.yaml`;
}
