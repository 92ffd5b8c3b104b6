import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, flagOrNull, metadata, textOrNull } from './lenient.ts';
import { picked } from './query.ts';
import { felixListing } from './sources.ts';

const schema = fields({ metadata, spec: fields({ bpfEnabled: flagOrNull, nftablesMode: textOrNull }) });

/** What a FelixConfiguration says about the data plane. `default` is for all nodes, `node.<name>` for one. */
export type Felix = {
  readonly name: string;
  readonly bpfEnabled: boolean | null;
  readonly nftablesMode: string | null;
  readonly floatingIps: string | null;
  /** policySyncPathPrefix: where the agent tells sidecars of policies about requests; empty or null: nowhere. */
  readonly policySyncPath: string | null;
};

const features = fields({ spec: fields({ floatingIPs: textOrNull, policySyncPathPrefix: textOrNull }) });

function readFelix(object: KubeObject | ObjectMetadata): Felix {
  const { metadata: meta, spec } = schema.parse(object);
  const told = features.parse(object).spec;
  return {
    name: meta.name,
    bpfEnabled: spec.bpfEnabled,
    nftablesMode: spec.nftablesMode,
    floatingIps: told.floatingIPs,
    policySyncPath: told.policySyncPathPrefix,
  };
}

export const felixConfigurations = picked(felixListing, readFelix);

export const felixNodePrefix = 'node.';
