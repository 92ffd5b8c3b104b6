import type { Slug } from '#lib/console/host.ts';
import { noFlags } from '#lib/text/index.ts';
import { findingsNow } from '../findings-now.ts';
import type { ServedBy } from '../served-as-seen.ts';
import { HowItCame } from './how-it-came.tsx';
import { ServicesAsked } from './services-asked.tsx';

/** What is known of an outage besides its way out; nothing without one. */
export async function OutageStory({
  cluster,
  servedBy,
  down,
}: {
  cluster: Slug;
  servedBy: ServedBy;
  down: 'everywhere' | 'on some nodes';
}) {
  const found = await findingsNow(cluster, servedBy);
  if ((found?.outages ?? []).length === 0 && servedBy !== 'nobody') return null;
  return (
    <div className="grid items-start gap-4 min-[1100px]:grid-cols-2">
      <HowItCame cluster={cluster} />
      <ServicesAsked cluster={cluster} down={down} flags={found?.flags ?? noFlags} />
    </div>
  );
}
