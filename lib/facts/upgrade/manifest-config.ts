import { defineCollector } from '../collector.ts';
import { tracked } from '../reading/sources.ts';

/** Coverage of the ConfigMaps that administrators edit in an installation by manifest; `resources.objects` has them. */
export const manifestConfig = defineCollector({
  id: 'upgrade/manifest-config',
  provides: ['manifestConfig'],
  reads: { calico: tracked.calicoConfig, canal: tracked.canalConfig },
  collect: () => ({}),
});
