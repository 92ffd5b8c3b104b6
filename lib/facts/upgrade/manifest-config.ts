import { defineCollector } from '../collector.ts';
import { tracked } from '../reading/sources.ts';

/** ConfigMaps of an installation by manifest, which the administrator edits: they stand in `resources.objects`. */
export const manifestConfig = defineCollector({
  id: 'upgrade/manifest-config',
  tells: ['manifestConfig'],
  reads: { calico: tracked.calicoConfig, canal: tracked.canalConfig },
  collect: () => ({}),
});
