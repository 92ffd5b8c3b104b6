import { type Container, type KubeObject, type Workload, workloadOf } from '#lib/kube/index.ts';
import { fields } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names, resources } from '#lib/spec/index.ts';
import { embedded } from '../reading/embedded.ts';
import { evidence } from '../reading/evidence.ts';
import type { Query } from '../reading/query.ts';
import { tracked } from '../reading/sources.ts';
import { flagOf } from '../reading/workload.ts';
import type { Evidence, Facts } from '../schema.ts';

export type ReadMode = { readonly mode: Facts['proxy']['mode']; readonly evidence: Evidence[] };

type PodSpec = Workload['spec']['template']['spec'];

const modes: Readonly<Record<string, Facts['proxy']['mode']>> = {
  // On Linux an empty mode is iptables (Kubernetes docs › kube-proxy › mode).
  '': 'iptables',
  iptables: 'iptables',
  ipvs: 'ipvs',
  nftables: 'nftables',
};

/** The mode of a value of `--proxy-mode`; null: unset, which is kube-proxy's default. */
export function modeOfFlag(flag: string | null): ReadMode['mode'] {
  return modes[(flag ?? '').trim().toLowerCase()] ?? 'unknown';
}

/** Keys and names of ConfigMaps in which kubeadm, EKS and others keep a KubeProxyConfiguration. */
const configKeys = ['config.conf', 'config', 'config.yaml', 'kube-proxy.conf'];
const usualConfigMaps = ['kube-proxy', 'kube-proxy-config'];

const inSystem = (name: string) => ({ resource: resources.configMaps, namespace: names.systemNamespace, name });

/**
 * The ConfigMaps that kube-proxy's DaemonSet mounts, under any name (EKS uses `kube-proxy-config`), or the usual ones if it mounts none, as in a shortened
 * dump. Rules name the usual ones; a refusal of another one names it.
 */
export const proxyConfigMaps: Query<readonly KubeObject[]> = {
  rules: usualConfigMaps.map((name) => ({
    verb: 'get',
    group: '',
    resource: 'configmaps',
    namespace: names.systemNamespace,
    name,
  })),
  enlist: (session) => {
    const fetch = tracked.kubeProxy.enlist(session);
    return async () => {
      const { value } = await fetch();
      const mounted = value === null ? [] : mountedNames(workloadOf(value).spec.template.spec);
      const wanted = mounted.length > 0 ? mounted : usualConfigMaps.slice(0, 1);
      const read = await Promise.all([...new Set(wanted)].map((name) => session.object(inSystem(name))));
      return {
        value: read.flatMap((one) => one.value ?? []),
        missing: read.flatMap(({ missing }) => missing),
      };
    };
  },
};

/** The container of kube-proxy in a pod of it: the one of that name, else the first. Others may stand before it, where a webhook adds them. */
export function proxyContainer({ containers }: Pick<PodSpec, 'containers'>): Container | undefined {
  return containers.find(({ name }) => name === names.kubeProxyDaemonSet) ?? containers[0];
}

function mountedNames({ volumes }: PodSpec): string[] {
  return volumes.map(({ configMap }) => configMap.name).filter((name) => name !== null);
}

const named = fields({ metadata });

/**
 * The mode of a kube-proxy by its pod's spec. `object`: its id for the evidence. With `--config`, kube-proxy ignores `--proxy-mode` (Kubernetes docs ›
 * kube-proxy › Options). Without either it uses its default, whatever a ConfigMap that it does not read says.
 */
export function modeOfProxy(
  { object, spec }: { object: string; spec: PodSpec },
  configMaps: readonly KubeObject[],
  configIsKnown: boolean,
): ReadMode {
  const container = proxyContainer(spec);
  // kOps and GKE start it through a shell, with all words in one string.
  const words = container ? [...container.command, ...container.args].flatMap((one) => one.trim().split(/\s+/)) : [];
  const file = flagOf(words, 'config');
  if (file !== null) return modeInFile(spec, file, configMaps) ?? { mode: 'unknown', evidence: [] };
  const flag = flagOf(words, 'proxy-mode');
  if (flag !== null) return { mode: modeOfFlag(flag), evidence: [evidence(object, 'command --proxy-mode', flag)] };
  if (words.some((one) => one.startsWith('--') || /(^|\/)kube-proxy$/.test(one)))
    return { mode: 'iptables', evidence: [] };
  // If the image or a script starts it, its flags are unknown, and a mounted configuration counts.
  const configured = modeInFile(spec, '', configMaps);
  if (configured) return configured;
  return { mode: words.length === 0 && configIsKnown ? 'iptables' : 'unknown', evidence: [] };
}

function modeInFile(spec: PodSpec, file: string, configMaps: readonly KubeObject[]): ReadMode | null {
  const mounted = mountedNames(spec);
  for (const configMap of configMaps) {
    const { name } = named.parse(configMap).metadata;
    // A ConfigMap that the template does not mount is not read by kube-proxy.
    if (mounted.length > 0 && !mounted.includes(name)) continue;
    const key = [...keysOfFile(spec, file, name), ...configKeys].find((one) => embedded(configMap, one) !== null);
    if (key === undefined) continue;
    const mode = embedded(configMap, key)?.mode ?? '';
    // kube-proxy does not start with a mode that is no text, so this is unknown and not the default.
    if (typeof mode !== 'string') return { mode: 'unknown', evidence: [] };
    return { mode: modeOfFlag(mode), evidence: [evidence(configMap, `data['${key}'].mode`, mode)] };
  }
  return null;
}

/** Keys of a ConfigMap that appear as this file in the pod. */
function keysOfFile({ volumes, containers }: PodSpec, file: string, configMap: string): string[] {
  return volumes
    .filter((volume) => volume.configMap.name === configMap)
    .flatMap((volume) =>
      containers
        .flatMap(({ volumeMounts }) =>
          volumeMounts
            .filter(
              ({ name, mountPath }) => name === volume.name && file.startsWith(`${mountPath.replace(/\/$/, '')}/`),
            )
            .map(({ mountPath }) => file.slice(mountPath.replace(/\/$/, '').length + 1)),
        )
        .map((path) => volume.configMap.items.find((item) => item.path === path)?.key ?? path),
    );
}
