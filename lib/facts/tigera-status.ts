import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { defineCollector } from './collector.ts';
import { fields, listOf, metadata, numberOrNull, text, textOrNull } from './lenient.ts';
import { picked } from './query.ts';
import type { Facts } from './schema.ts';
import { tigeraStatusListing } from './sources.ts';

type Status = Facts['resources']['tigeraStatuses'][number];

const schema = fields({
  metadata,
  status: fields({
    conditions: listOf(
      fields({
        type: text,
        status: text,
        reason: textOrNull,
        message: textOrNull,
        lastTransitionTime: textOrNull,
        observedGeneration: numberOrNull,
      }),
    ),
  }),
});

function readTigeraStatus(object: KubeObject | ObjectMetadata): Status {
  const { metadata: meta, status } = schema.parse(object);
  return {
    name: meta.name,
    conditions: status.conditions.map(({ lastTransitionTime, ...condition }) => ({
      ...condition,
      since: lastTransitionTime,
    })),
  };
}

/** What the operator says of itself: missing conditions mean *unknown*, and it lags (controlplane.md › Recordings, item 2). */
export const tigeraStatus = defineCollector({
  id: 'tigera-status',
  tells: ['tigeraStatuses'],
  reads: { statuses: picked(tigeraStatusListing, readTigeraStatus) },
  collect: ({ statuses }) => ({ resources: { tigeraStatuses: statuses.value } }),
});
