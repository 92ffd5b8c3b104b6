import { workloadOf } from '#lib/kube/index.ts';
import { otherNetworkOf } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { daemonSetListing } from '../reading/sources.ts';
import { workloadId } from '../reading/workload.ts';
import type { Facts } from '../schema.ts';

/** Other products that connect pods. One that is scheduled on no node connects none. */
const found = picked(daemonSetListing, (object): Facts['installation']['otherNetworks'][number] | null => {
  const { name = '', namespace = null } = object.metadata;
  const row = otherNetworkOf({ name, namespace });
  if (row === null) return null;
  const workload = workloadOf(object);
  return workload.status.desiredNumberScheduled === 0 ? null : { product: row.product, object: workloadId(workload) };
});

export const otherNetworks = defineCollector({
  id: 'other-networks',
  tells: ['otherNetworks'],
  reads: { found },
  collect: (read) => ({ installation: { otherNetworks: read.found.value } }),
});
