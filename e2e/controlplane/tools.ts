import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The foreign programs of the control plane: each comes from the Go module under `e2e/tools/<folder>` that pins it.
 * They are modules of their own because their dependencies cannot share one graph.
 */
export type PlaneTool = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubectl' | 'kwok';
/** Programs that administrators run themselves, for the tests about them. */
export type ToolName = PlaneTool | 'helm';

export type ToolModule = {
  readonly folder: string;
  readonly programs: readonly { readonly name: ToolName; readonly package: string }[];
  /** How long a build takes, for whoever waits; measured on two cores without a cache. */
  readonly usuallyTakes: string;
};

export const toolModules: readonly ToolModule[] = [
  {
    folder: 'etcd',
    programs: [{ name: 'etcd', package: 'go.etcd.io/etcd/server/v3' }],
    usuallyTakes: 'half a minute',
  },
  {
    folder: 'kwok',
    programs: [{ name: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' }],
    usuallyTakes: 'two minutes',
  },
  {
    folder: 'kubernetes',
    programs: [
      { name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
      { name: 'kube-controller-manager', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
      { name: 'kube-scheduler', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
      { name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl' },
    ],
    usuallyTakes: 'four to eight minutes',
  },
];

/**
 * Built only when a test asks for them. Both go.mod name the same versions of the packages they share (911 of 962), so that Go
 * compiles those once: raise both together.
 */
export const helmModules = {
  helm3: {
    folder: 'helm3',
    programs: [{ name: 'helm', package: 'helm.sh/helm/v3/cmd/helm' }],
    usuallyTakes: 'two minutes',
  },
  helm4: {
    folder: 'helm4',
    programs: [{ name: 'helm', package: 'helm.sh/helm/v4/cmd/helm' }],
    usuallyTakes: 'two minutes',
  },
} as const satisfies Record<string, ToolModule>;

const toolsFolder = join(import.meta.dirname, '..', 'tools');

export function moduleFolder(module: ToolModule): string {
  return join(toolsFolder, module.folder);
}

/** Linker flags of a module. Without the version in them the API server reports v0.0.0 and clients that gate on it misbehave. */
export function ldflags(module: ToolModule): string {
  if (module.folder !== 'kubernetes') return '-s -w';
  const version = pinnedVersion(module, 'k8s.io/kubernetes');
  const [major, minor] = version.slice(1).split('.');
  const variable = 'k8s.io/component-base/version';
  return [
    '-s -w',
    `-X ${variable}.gitVersion=${version}`,
    `-X ${variable}.gitMajor=${major}`,
    `-X ${variable}.gitMinor=${minor}`,
    `-X ${variable}.gitTreeState=clean`,
  ].join(' ');
}

/** Version of `name` as the module's go.mod pins it, for example `v1.36.3`. */
function pinnedVersion(module: ToolModule, name: string): string {
  const goMod = readFileSync(join(moduleFolder(module), 'go.mod'), 'utf8');
  const escaped = name.replaceAll('.', '\\.').replaceAll('/', '\\/');
  const found = new RegExp(`^(?:require)?\\s*${escaped} (v\\S+)`, 'm').exec(goMod);
  if (!found?.[1]) throw new Error(`e2e/tools/${module.folder}/go.mod does not require ${name}`);
  return found[1];
}

/**
 * Name of the folder that caches a module's programs: changes with everything that decides what they do (go.mod, go.sum, flags, platform).
 * The Go release is not part of it: go.mod names the oldest sufficient one, and a cache must also serve machines without Go.
 */
export function cacheKey(module: ToolModule): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(moduleFolder(module), file)));
  hash.update(`${ldflags(module)}\n${process.platform}-${process.arch}`);
  return `${module.folder}-${hash.digest('hex').slice(0, 16)}`;
}
