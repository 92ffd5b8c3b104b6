import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { ownedObjects, ownershipMarks } from './reconciler-sources.ts';

/** Who else writes what a plan would change (checks `managed-by.*`). */
export const ownership = defineCollector({
  id: 'ownership',
  tells: ['ownership'],
  reads: { ...ownedObjects, ownershipMarks },
  collect: (read, { installation: { method } }) => ({
    resources: { ownership: read.ownershipMarks.value },
    // Whether the ConfigMap or the Deployment could be read does not decide who would revert a switch.
    coverage: {
      ownership: method.startsWith('manifest')
        ? allOf(read.felixDefault, read.kubeProxy, read.manifestAgents)
        : allOf(read.installation, read.felixDefault, read.kubeProxy),
    },
  }),
});
