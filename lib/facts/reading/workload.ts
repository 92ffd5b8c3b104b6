import { type Container, rolloutCounts, type Workload } from '#lib/kube/index.ts';
import type { ReadObject } from '../schema.ts';

/** `kube-system/DaemonSet/kube-proxy`, as `objectId` makes it. */
export function workloadId({ kind, metadata: { name, namespace } }: Workload): string {
  return namespace ? `${namespace}/${kind}/${name}` : `${kind}/${name}`;
}

/** Words of a container's command line, also if a shell gets them in one string. */
export function wordsOf({ command, args }: Container): string[] {
  return [...command, ...args].flatMap((one) => one.trim().split(/\s+/));
}

/** Data of ConfigMaps in a workload's namespace, by name, for `envFrom` and `valueFrom`. */
export type ConfigMaps = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The value of a variable in a container; null: unset. `env` wins over `envFrom`, and a later entry over an earlier one. */
export function variableOf(container: Container, name: string, configMaps: ConfigMaps): string | null {
  const own = container.env.findLast((one) => one.name === name);
  if (own) {
    if (own.value !== null) return own.value;
    const { name: from, key } = own.valueFrom.configMapKeyRef;
    return (from !== null && key !== null && configMaps.get(from)?.[key]) || '';
  }
  const given = container.envFrom.findLast(({ configMapRef }) => {
    const data = configMapRef.name === null ? undefined : configMaps.get(configMapRef.name);
    return data !== undefined && Object.hasOwn(data, name);
  });
  return given?.configMapRef.name ? (configMaps.get(given.configMapRef.name)?.[name] ?? null) : null;
}

/** `--proxy-mode=ipvs` or `--proxy-mode ipvs` → `ipvs`. The last one counts. */
export function flagOf(command: readonly string[], flag: string): string | null {
  const at = command.findLastIndex((one) => one === `--${flag}` || one.startsWith(`--${flag}=`));
  const given = command[at];
  if (given === undefined) return null;
  return given.includes('=') ? given.slice(given.indexOf('=') + 1) : (command[at + 1] ?? '');
}

/** `registry:5000/calico/node:v3.31.4@sha256:…` → `v3.31.4`; null for a digest alone or a tag that is no version. */
export function versionOfImage(image: string): string | null {
  const [named = ''] = image.split('@');
  const tag = /:([^:/]+)$/.exec(named)?.[1] ?? '';
  return /^v?\d+\.\d+\.\d+/.test(tag) ? (tag.startsWith('v') ? tag : `v${tag}`) : null;
}

/** Whether a DaemonSet or Deployment, as facts hold it, has rolled out. For checks and plans, which do not see `lib/kube`. */
export function isRolledOut(object: ReadObject): boolean {
  return rolloutCounts(object).complete;
}
