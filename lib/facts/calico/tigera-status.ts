import { conditionsOf, type KubeObject, type ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { tigeraStatusListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

type Status = Facts['resources']['tigeraStatuses'][number];

function readTigeraStatus(object: KubeObject | ObjectMetadata): Status {
  return {
    name: metadata.parse(object.metadata).name,
    conditions: conditionsOf(object).map(({ lastTransitionTime, ...condition }) => ({
      ...condition,
      since: lastTransitionTime,
    })),
  };
}

/** The statuses that the operator reports, some minutes late. A missing condition means *unknown* (controlplane.md › Recordings, item 2). */
export const tigeraStatus = defineCollector({
  id: 'tigera-status',
  provides: ['tigeraStatuses'],
  reads: { statuses: picked(tigeraStatusListing, readTigeraStatus) },
  collect: ({ statuses }) => ({ resources: { tigeraStatuses: statuses.value } }),
});
