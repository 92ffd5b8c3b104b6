import type { KubeObject } from '#lib/kube/index.ts';
import { defaultFelix, felixReads } from '../calico/felix.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { idOf } from '../reading/evidence.ts';
import { marksOf, type OwnershipMark } from './ownership-marks.ts';
import { ownedObjects, ownershipMarks } from './reconciler-sources.ts';

/** Other tools that write the objects of a plan (checks `managed-by.*`). */
export const ownership = defineCollector({
  id: 'ownership',
  provides: ['ownership'],
  reads: { ...ownedObjects, ...felixReads, ownershipMarks },
  collect: (read, facts) => ({
    resources: {
      ownership: ofCountingFelix(read.ownershipMarks.value, read.felixDefault.value, defaultFelix(read, facts).value),
    },
    // The ConfigMap and the Deployment are not needed: no tool reverts a switch through them.
    coverage: {
      ownership: facts.installation.method.startsWith('manifest')
        ? allOf(read.felixDefault, read.kubeProxy, read.manifestAgents)
        : allOf(read.installation, read.felixDefault, read.kubeProxy),
    },
  }),
});

/** The signs of the FelixConfiguration that counts, in place of those of the other form. */
function ofCountingFelix(
  marks: readonly OwnershipMark[],
  looked: KubeObject | null,
  counting: KubeObject | null,
): OwnershipMark[] {
  if (looked === null || looked.apiVersion === counting?.apiVersion) return [...marks];
  const others = marks.filter(({ object }) => object !== idOf(looked));
  return [...others, ...(counting === null ? [] : marksOf(counting))];
}
