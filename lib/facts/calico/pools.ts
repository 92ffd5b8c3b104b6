import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, flagOrNull, text, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { poolListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';
import { countingForms, pickedInForms } from './forms.ts';

type Pool = Facts['pools'][number];

const schema = fields({
  metadata,
  spec: fields({
    cidr: text,
    ipipMode: textOrNull,
    vxlanMode: textOrNull,
    natOutgoing: flagOrNull,
    disabled: flagOrNull,
  }),
});

/** Encapsulations by the modes of IPIP and VXLAN; an absent mode is Never (calico.md §9 › Encapsulation). */
const encapsulations: Readonly<Record<string, readonly [Pool['encapsulation'], Pool['encapsulation']]>> = {
  Always: ['IPIP', 'VXLAN'],
  CrossSubnet: ['IPIPCrossSubnet', 'VXLANCrossSubnet'],
};

function readPool(object: KubeObject | ObjectMetadata): Pool {
  const { metadata: meta, spec } = schema.parse(object);
  return {
    name: meta.name,
    cidr: spec.cidr,
    encapsulation: encapsulations[spec.ipipMode ?? '']?.[0] ?? encapsulations[spec.vxlanMode ?? '']?.[1] ?? 'None',
    natOutgoing: spec.natOutgoing === true,
    disabled: spec.disabled === true,
  };
}

export const pools = defineCollector({
  id: 'pools',
  provides: ['pools'],
  reads: { pools: pickedInForms(poolListing, readPool) },
  collect: (read, facts) => {
    const counting = countingForms(read.pools, facts);
    return { pools: counting.value, coverage: { pools: allOf(counting) } };
  },
});
