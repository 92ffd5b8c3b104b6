import type { KubeObject } from '#lib/kube/index.ts';
import { fields, type Parsed, textOrNull } from './lenient.ts';

const spec = fields({
  kubernetesProvider: textOrNull,
  cni: fields({ type: textOrNull }),
  calicoNetwork: fields({ linuxDataplane: textOrNull, kubeProxyManagement: textOrNull }),
});
const schema = fields({ spec, status: fields({ calicoVersion: textOrNull, computed: spec }) });
export type InstallationFields = Parsed<typeof schema>;

/** What we read of Installation `default`. `status.computed` has the defaults that `spec` may still lack. */
export function installationFields(object: KubeObject): InstallationFields {
  return schema.parse(object);
}
