import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, listOf, text, textMap } from '#lib/kube/read/lenient.ts';
import { cleanupFlagPath, dataplanePath, names, proxySelectorPath, resources } from '#lib/spec/index.ts';
import { lastAppliedAnnotation } from '#lib/text/index.ts';
import { evidence } from '../reading/evidence.ts';
import { writersOf } from '../reading/field-writers.ts';
import type { Evidence, Facts } from '../schema.ts';

export type OwnershipMark = Facts['resources']['ownership'][number];
type Owner = OwnershipMark['by'];
type Values = Readonly<Record<string, string>>;

type MarkRule =
  | { readonly by: Owner; readonly annotation: string; readonly unless?: (annotations: Values) => boolean }
  | { readonly by: Owner; readonly label: string; readonly value?: (value: string) => boolean }
  | { readonly by: Owner; readonly manager: string };

/** Fleet and the add-on controller of K3s and RKE2 use the same annotation; its owner tells them apart. */
const byAddOnController = (annotations: Values) =>
  /^k3s\.cattle\.io\/.*Kind=Addon$/.test(annotations['objectset.rio.cattle.io/owner-gvk'] ?? '');

/**
 * pain B4, and calico.md §3.6 for the three that the operator itself looks for. Gardener: gardener/gardener docs/concepts/resource-manager.md › Origin;
 * kOps: kubernetes/kops pkg/model/components/addonmanifests (KopsAddonLabelKey); k0s: k0sproject/k0s pkg/applier/stack.go. Read 2026-11-22.
 */
const markRules: readonly MarkRule[] = [
  { by: 'argocd', annotation: 'argocd.argoproj.io/tracking-id' },
  { by: 'argocd', label: 'argocd.argoproj.io/instance' },
  { by: 'argocd', manager: 'argocd-controller' },
  { by: 'argocd', manager: 'argocd-application-controller' },
  { by: 'flux', label: 'kustomize.toolkit.fluxcd.io/name' },
  { by: 'flux', label: 'helm.toolkit.fluxcd.io/name' },
  { by: 'flux', manager: 'kustomize-controller' },
  { by: 'fleet', annotation: 'objectset.rio.cattle.io/id', unless: byAddOnController },
  { by: 'fleet', label: 'fleet.cattle.io/bundle-name' },
  { by: 'fleet', manager: 'fleetagent' },
  { by: 'addon-manager', label: 'addonmanager.kubernetes.io/mode' },
  { by: 'addon-manager', annotation: 'objectset.rio.cattle.io/owner-gvk', unless: (all) => !byAddOnController(all) },
  { by: 'gardener', annotation: 'resources.gardener.cloud/origin' },
  { by: 'gardener', manager: 'gardener-resource-manager' },
  { by: 'kops', label: 'addon.kops.k8s.io/name' },
  { by: 'k0s', label: 'k0s.k0sproject.io/stack' },
  { by: 'helm', annotation: 'meta.helm.sh/release-name' },
  { by: 'helm', label: names.managedByLabel, value: (value) => value === 'Helm' },
  {
    by: 'other',
    label: names.managedByLabel,
    value: (value) => value !== '' && value !== 'Helm' && value !== 'tigera-operator',
  },
];

/** Flux' helm-controller reads no annotation of the object: only its HelmRelease shows that it is suspended. */
const ofHelmRelease = (path: string) => path.includes(resources.fluxHelmReleases.group);

/**
 * Annotations and labels by which an object makes a tool leave it alone. Flux: fluxcd.io/flux/components/kustomize/kustomizations › Controlling the apply
 * behavior; add-on manager: kubernetes/cluster/addons/addon-manager/README.md (`EnsureExists` is created once and never written again). Read 2026-11-22.
 */
const leftAlone: {
  readonly [By in Owner]?: (marks: { labels: Values; annotations: Values; path: string }) => boolean;
} = {
  flux: ({ labels, annotations, path }) =>
    !ofHelmRelease(path) &&
    ([labels, annotations].some((marks) => marks['kustomize.toolkit.fluxcd.io/reconcile'] === 'disabled') ||
      /^(ignore|ifnotpresent)$/i.test(annotations['kustomize.toolkit.fluxcd.io/ssa'] ?? '')),
  'addon-manager': ({ labels }) => labels['addonmanager.kubernetes.io/mode'] === 'EnsureExists',
};

/** Tools whose settings are elsewhere: Gardener's ManagedResource is on the seed; kOps and k0s write when their own manifest changes, which no object shows. */
const neverShown: ReadonlySet<Owner> = new Set(['fleet', 'argocd', 'gardener', 'kops', 'k0s']);

/** The add-on controller of K3s and RKE2 writes when its file changes or a server starts, and no object shows that it skips the file. */
const isUnseen = ({ by, evidence: { path } }: { by: Owner; evidence: Evidence }) =>
  neverShown.has(by) ||
  (by === 'flux' && ofHelmRelease(path)) ||
  (by === 'addon-manager' && path.includes('owner-gvk'));

/** Field managers of each tool. The add-on manager runs kubectl and has its name. */
const managers: { readonly [By in Owner]?: readonly string[] } = {
  argocd: ['argocd-controller', 'argocd-application-controller'],
  flux: ['kustomize-controller', 'helm-controller'],
  fleet: ['fleetagent'],
  gardener: ['gardener-resource-manager'],
};

/** Fields whose present value the tool wrote. Others may have been patched by hand, and the tool would put its own value back. */
function writtenBy(by: Owner, object: KubeObject): string[] {
  const applied = appliedOf(object);
  return [dataplanePath, cleanupFlagPath, proxySelectorPath]
    .filter((path) => {
      const value = valueAt(object, path);
      const isOwn = writersOf(object, path).some(({ manager }) => managers[by]?.includes(manager));
      return value !== undefined && (isOwn || valueAt(applied, path) === value);
    })
    .map((path) => path.join('.'));
}

function appliedOf(object: KubeObject): unknown {
  try {
    return JSON.parse(object.metadata.annotations?.[lastAppliedAnnotation] ?? '');
  } catch {
    return null;
  }
}

const marked = fields({
  metadata: fields({ labels: textMap, annotations: textMap, managedFields: listOf(fields({ manager: text })) }),
});

/**
 * Signs that another tool writes the object: labels, annotations and field managers, strongest first. `state` is what the object itself shows;
 * reconciler-sources.ts adds the tool's own settings.
 */
export function marksOf(object: KubeObject): OwnershipMark[] {
  const { labels, annotations, managedFields } = marked.parse(object).metadata;
  return markRules.flatMap((rule): OwnershipMark[] => {
    const found = seen(rule, labels, annotations, managedFields);
    if (found === null) return [];
    const proof = evidence(object, found.path, found.value);
    const mark = {
      object: proof.object,
      by: rule.by,
      evidence: proof,
      source: null,
      writes: writtenBy(rule.by, object),
    };
    const state = leftAlone[rule.by]?.({ labels, annotations, path: found.path })
      ? 'paused'
      : isUnseen(mark)
        ? 'hidden'
        : 'acts';
    return [{ ...mark, state }];
  });
}

function seen(
  rule: MarkRule,
  labels: Values,
  annotations: Values,
  managers: readonly { manager: string }[],
): { path: string; value: string } | null {
  if ('manager' in rule) {
    const isThere = managers.some(({ manager }) => manager === rule.manager);
    return isThere ? { path: 'metadata.managedFields[].manager', value: rule.manager } : null;
  }
  if ('annotation' in rule) {
    const value = annotations[rule.annotation];
    if (value === undefined || rule.unless?.(annotations)) return null;
    return { path: `metadata.annotations['${rule.annotation}']`, value };
  }
  const value = labels[rule.label];
  if (value === undefined || rule.value?.(value) === false) return null;
  return { path: `metadata.labels['${rule.label}']`, value };
}
