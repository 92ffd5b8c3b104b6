import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { folded } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { podListing, serviceListing } from '../reading/sources.ts';

const counted = () => {
  let count = 0;
  return { each: () => void count++, result: () => count };
};

/** Numbers of pods and Services, for estimates. */
export const counts = defineCollector({
  id: 'counts',
  provides: ['podCount', 'serviceCount'],
  reads: { pods: folded(podListing, counted), services: folded(serviceListing, counted) },
  collect: ({ pods, services }) => ({
    resources: { podCount: countIfComplete(pods), serviceCount: countIfComplete(services) },
    coverage: { podCount: allOf(pods), serviceCount: allOf(services) },
  }),
});

/** The count of a whole list; null: a part is missing. */
function countIfComplete({ value, missing }: Reading<number>): number | null {
  return missing.length === 0 ? value : null;
}
