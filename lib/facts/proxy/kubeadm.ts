import type { KubeObject } from '#lib/kube/index.ts';
import { fields, listOf, type Parsed, text, textOrNull } from '#lib/kube/read/lenient.ts';
import { embedded } from '../reading/embedded.ts';

const clusterConfiguration = fields({
  kubernetesVersion: textOrNull,
  controlPlaneEndpoint: textOrNull,
  networking: fields({ serviceSubnet: textOrNull, podSubnet: textOrNull }),
});
export type KubeadmConfig = Parsed<typeof clusterConfiguration>;

/** The ClusterConfiguration in ConfigMap kube-system/kubeadm-config; null: there is none. */
export function kubeadmConfigOf(configMap: KubeObject | null): KubeadmConfig | null {
  const parsed = embedded(configMap, 'ClusterConfiguration');
  return parsed === null ? null : clusterConfiguration.parse(parsed);
}

const kubeconfig = fields({ clusters: listOf(fields({ cluster: fields({ server: text }) })) });

/** The API server's URL in a kubeconfig that a ConfigMap holds. */
export function serverIn(configMap: KubeObject | null, key: string): string | null {
  const parsed = embedded(configMap, key);
  return (parsed && kubeconfig.parse(parsed).clusters[0]?.cluster.server) || null;
}
