import type { KubeObject, Workload } from '#lib/kube/index.ts';
import { fields } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { embedded } from '../reading/embedded.ts';
import { evidence } from '../reading/evidence.ts';
import { flagOf, workloadId } from '../reading/workload.ts';
import type { Evidence, Facts } from '../schema.ts';

export type ReadMode = { readonly mode: Facts['proxy']['mode']; readonly evidence: Evidence[] };

const modes: Readonly<Record<string, Facts['proxy']['mode']>> = {
  // On Linux an empty mode is iptables (Kubernetes docs › kube-proxy › mode).
  '': 'iptables',
  iptables: 'iptables',
  ipvs: 'ipvs',
  nftables: 'nftables',
};

/** `--proxy-mode`; not given is kube-proxy's default. */
export function modeOfFlag(flag: string | null): ReadMode['mode'] {
  return modes[(flag ?? '').trim().toLowerCase()] ?? 'unknown';
}

/** Keys under which kubeadm, EKS and others keep a KubeProxyConfiguration. */
const configKeys = ['config.conf', 'config', 'config.yaml', 'kube-proxy.conf'];
const named = fields({ metadata });

/** A configuration file beats the flag: kube-proxy ignores its flags when it is given one. */
export function modeOfDaemonSet(
  workload: Workload,
  configMaps: readonly KubeObject[],
  configIsKnown: boolean,
): ReadMode {
  const { containers, volumes } = workload.spec.template.spec;
  const container = containers.find(({ name }) => name === 'kube-proxy') ?? containers[0];
  const command = container ? [...container.command, ...container.args] : [];
  const mounted = volumes.map(({ configMap }) => configMap.name);
  const usesFile = flagOf(command, 'config') !== null;

  for (const configMap of configMaps) {
    // Where the template says which it mounts, another one is nobody's.
    const { name } = named.parse(configMap).metadata;
    if (mounted.some((one) => one !== null) && !mounted.includes(name)) continue;
    const key = configKeys.find((one) => embedded(configMap, one) !== null);
    if (key === undefined) continue;
    const mode = embedded(configMap, key)?.mode ?? '';
    // Something that is no text is not the same as nothing: kube-proxy would not start with it.
    if (typeof mode !== 'string') return { mode: 'unknown', evidence: [] };
    return { mode: modeOfFlag(mode), evidence: [evidence(configMap, `data['${key}'].mode`, mode)] };
  }
  if (usesFile || !configIsKnown) return { mode: 'unknown', evidence: [] };
  const flag = flagOf(command, 'proxy-mode');
  return {
    mode: modeOfFlag(flag),
    evidence: flag === null ? [] : [evidence(workloadId(workload), 'command --proxy-mode', flag)],
  };
}
