import type { Facts } from '#lib/facts/index.ts';
import { type PlatformKind, type Resource, resources } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';

export type Mark = Facts['resources']['ownership'][number];

/** Tools that restore their own state by themselves. Helm writes only on request (`managed-by.helm`); other marks name no such tool. */
export type Reconciler = Exclude<Mark['by'], 'helm' | 'other'>;
/** An object that a tool writes, with all marks that show it. */
export type Owned = {
  object: string;
  by: Reconciler;
  state: Mark['state'];
  source: string | null;
  sought: string | null;
  marks: Mark[];
};

/** Commands that pause a tool for this object and resume it. Null: nothing in this cluster's API can pause it. */
type Pause = { pause: string; resume: string } | null;

function sourceArguments(source: string | null, { group, kind, plural }: Resource): string {
  return `${plural}.${group} ${namedIn(source ?? `NAMESPACE/${kind}/NAME`)}`;
}

function namedIn(id: string): string {
  const { namespace, name } = objectSubject(id);
  return `-n ${shellWord(namespace ?? '')} ${shellWord(name)}`;
}

function field(what: string, spec: string, on: boolean) {
  return `kubectl patch ${what} --type merge -p '{"spec":{"${spec}":${on}}}'`;
}

const isOfHelmRelease = ({ evidence: { path } }: Mark) => path.includes(resources.fluxHelmReleases.group);

/**
 * The source of each tool's state, and how to pause the tool for one object or for all that it applies together: the narrowest pause that the cluster's
 * objects show, so that the next check recognises it. Sources: lib/facts/cluster/reconciler-sources.ts, ownership-marks.ts.
 */
export const reconcilers: Record<
  Reconciler,
  { name: string; writes: string; pause(owned: Owned): Pause; elsewhere(owned: Owned, platform: PlatformKind): string }
> = {
  argocd: {
    name: 'Argo CD',
    writes: 'the Git repository of its Application',
    pause: ({ source }) => {
      const annotate = `kubectl annotate ${sourceArguments(source, resources.argoApplications)} argocd.argoproj.io/skip-reconcile`;
      return source === null ? null : { pause: `${annotate}=true`, resume: `${annotate}-` };
    },
    elsewhere: ({ sought }) =>
      `where Argo CD runs: \`kubectl --context ITS_CONTEXT annotate ${sourceArguments(sought ?? 'argocd/Application/NAME', resources.argoApplications)} argocd.argoproj.io/skip-reconcile=true\``,
  },
  flux: {
    name: 'Flux',
    writes: 'the Git repository of its Kustomization or HelmRelease',
    pause: ({ object, source, marks }) => {
      if (source === null && marks.every(isOfHelmRelease)) return null;
      if (source?.includes('/HelmRelease/')) {
        const release = sourceArguments(source, resources.fluxHelmReleases);
        return { pause: field(release, 'suspend', true), resume: field(release, 'suspend', false) };
      }
      const annotate = `kubectl annotate ${kubectlArguments(object, shellWord)} kustomize.toolkit.fluxcd.io/reconcile`;
      return { pause: `${annotate}=disabled`, resume: `${annotate}-` };
    },
    elsewhere: ({ marks, sought }) =>
      marks.every(isOfHelmRelease)
        ? `where Flux runs: \`flux suspend helmrelease ${namedIn(sought ?? 'NAMESPACE/HelmRelease/NAME')}\``
        : `where Flux runs: \`flux suspend kustomization ${namedIn(sought ?? 'NAMESPACE/Kustomization/NAME')}\``,
  },
  fleet: {
    name: 'Fleet',
    writes: 'the Git repository of its GitRepo',
    pause: ({ source, state }) => {
      if (state === 'hidden') return null;
      const bundle = sourceArguments(source, resources.fleetBundles);
      return { pause: field(bundle, 'paused', true), resume: field(bundle, 'paused', false) };
    },
    elsewhere: () =>
      'on the cluster that Rancher runs on: `kubectl --context ITS_CONTEXT patch gitrepos.fleet.cattle.io -n fleet-default NAME --type merge -p \'{"spec":{"paused":true}}\'`',
  },
  'addon-manager': {
    name: 'the add-on manager',
    writes: 'its folder on the control plane nodes',
    pause: () => null,
    elsewhere: ({ state, object }, platform) =>
      state === 'hidden'
        ? `on each server: it skips FILE.yaml where FILE.yaml.skip lies beside it in /var/lib/rancher/${platform === 'k3s' ? 'k3s' : 'rke2'}/server/manifests`
        : `on each control plane node: in the file below /etc/kubernetes/addons, set the label addonmanager.kubernetes.io/mode to EnsureExists. Straight after it: \`kubectl label ${kubectlArguments(object, shellWord)} addonmanager.kubernetes.io/mode=EnsureExists --overwrite\``,
  },
  // gardener/gardener docs/concepts/resource-manager.md › Ignoring Updates: on the ManagedResource, which is on the seed. Read 2026-11-22.
  gardener: {
    name: 'Gardener',
    writes: 'the Shoot and the ManagedResource of Gardener',
    pause: () => null,
    elsewhere: () =>
      'on its seed, which only those who run Gardener reach: `kubectl --context ITS_CONTEXT annotate managedresources.resources.gardener.cloud -n SHOOT_NAMESPACE NAME resources.gardener.cloud/ignore=true`, and with `resources.gardener.cloud/ignore-` afterwards',
  },
  // kubernetes/kops docs/contributing/addons.md › Versioning: changes stay until a manifest of another version or hash is there. Read 2026-11-22.
  kops: {
    name: 'kOps',
    writes: 'the cluster spec of kOps',
    pause: () => null,
    elsewhere: () =>
      'by leaving it alone: until the run is done, nobody runs `kops update cluster --yes` or `channels apply channel`. What was changed here stays until its add-on has a new version',
  },
  // k0sproject/k0s pkg/applier/stack.go compares the checksum of its manifest alone, and has no switch for one object. Read 2026-11-22.
  k0s: {
    name: 'k0s',
    writes: 'the configuration of k0s',
    pause: () => null,
    elsewhere: () =>
      'by leaving it alone, as it documents no pause: until the run is done, change neither its configuration nor its version nor a file in /var/lib/k0s/manifests on any controller',
  },
};

/** The name of a tool that restores its own state by itself; null for owners that do not. */
export function reconcilerName(by: Mark['by']): string | null {
  return isReconciler(by) ? reconcilers[by].name : null;
}

export function isReconciler(by: Mark['by']): by is Reconciler {
  return by in reconcilers;
}
