import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { imageSetListing } from '../reading/sources.ts';

/** ImageSets, which pin image digests for one version; the operator refuses to upgrade with those of another version (pain H11). */
export const imageSets = defineCollector({
  id: 'upgrade/image-sets',
  provides: ['imageSets'],
  reads: { imageSets: picked(imageSetListing, ({ metadata: { name } }) => name ?? null) },
  collect: ({ imageSets: { value } }) => ({ upgrade: { imageSets: value } }),
});
