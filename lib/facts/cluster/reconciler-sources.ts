import { isObjectName, labelName } from '#lib/base/object-names.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, flagOrNull, ifThere, listOf, text, textMap, textOrNull, texts } from '#lib/kube/read/lenient.ts';
import { type ObjectRef, objectId, parseApiVersion, type Resource, resources } from '#lib/spec/index.ts';
import type { Query } from '../reading/query.ts';
import { felixDefault, tracked } from '../reading/sources.ts';
import { marksOf, type OwnershipMark } from './ownership-marks.ts';

const pausable = fields({
  metadata: fields({ annotations: textMap }),
  spec: fields({
    suspend: flagOrNull,
    paused: flagOrNull,
    syncPolicy: fields({ automated: ifThere(fields({ enabled: flagOrNull })), syncOptions: texts }),
    ignoreDifferences: listOf(
      fields({ group: text, kind: text, name: textOrNull, namespace: textOrNull, jsonPointers: texts }),
    ),
  }),
});
type Pausable = ReturnType<typeof pausable.parse>;

type SourceRule = {
  readonly by: OwnershipMark['by'];
  /** The end of the path of the annotation or label. */
  readonly mark: string;
  readonly resource: Resource;
  /** The object's possible names and namespaces, by the annotation's value and the object's labels. */
  where(value: string, labels: Readonly<Record<string, string>>): { name: string; namespaces: readonly string[] };
  /** Whether the tool leaves this object alone. */
  isPaused(source: Pausable, object: KubeObject): boolean;
};

const argoNamespaces = ['argocd', 'openshift-gitops'];

/** An Application by its name in a label; one in another namespace is `NAMESPACE_NAME`. */
function application(called: string) {
  const [namespace, name] = called.includes('_') ? called.split('_') : [null, called];
  return { name: name ?? '', namespaces: namespace ? [namespace] : argoNamespaces };
}

/** Without automatic sync, Argo CD writes only when somebody starts a sync. */
const argoIsPaused = (source: Pausable, object: KubeObject) =>
  source.metadata.annotations['argocd.argoproj.io/skip-reconcile'] === 'true' ||
  source.spec.syncPolicy.automated === null ||
  source.spec.syncPolicy.automated.enabled === false ||
  argoIgnores(source, object);

/** Whether Argo CD ignores differences in the whole spec, since a plan may write any of it. Ignored fields are still written by a sync unless RespectIgnoreDifferences is on. */
function argoIgnores(
  { spec: { syncPolicy, ignoreDifferences } }: Pausable,
  { apiVersion, kind, metadata }: KubeObject,
) {
  const { group } = parseApiVersion(apiVersion);
  const fits = (rule: string, own: string) => rule === own || rule === '*';
  return (
    syncPolicy.syncOptions.includes('RespectIgnoreDifferences=true') &&
    ignoreDifferences.some(
      (rule) =>
        fits(rule.group, group) &&
        fits(rule.kind, kind) &&
        (rule.name ?? metadata.name) === metadata.name &&
        (rule.namespace ?? metadata.namespace) === metadata.namespace &&
        rule.jsonPointers.includes('/spec'),
    )
  );
}

/**
 * Objects that make tools write, and how they are paused. argo-cd.readthedocs.io › Automated Sync Policy, Skip Application Reconcile,
 * Diff Customization, Sync Options › Respect ignore differences configs;
 * fluxcd.io › Kustomization, HelmRelease › Suspend; fleet.rancher.io › Bundle `paused`. Read 2026-11-22.
 */
const sourceRules: readonly SourceRule[] = [
  {
    by: 'argocd',
    mark: "annotations['argocd.argoproj.io/tracking-id']",
    resource: resources.argoApplications,
    where: (value) => application(value.split(':')[0] ?? ''),
    isPaused: argoIsPaused,
  },
  {
    by: 'argocd',
    mark: "labels['argocd.argoproj.io/instance']",
    resource: resources.argoApplications,
    where: application,
    isPaused: argoIsPaused,
  },
  {
    by: 'flux',
    mark: "labels['kustomize.toolkit.fluxcd.io/name']",
    resource: resources.fluxKustomizations,
    where: (name, labels) => ({ name, namespaces: [labels['kustomize.toolkit.fluxcd.io/namespace'] ?? 'flux-system'] }),
    isPaused: ({ spec }) => spec.suspend === true,
  },
  {
    by: 'flux',
    mark: "labels['helm.toolkit.fluxcd.io/name']",
    resource: resources.fluxHelmReleases,
    where: (name, labels) => ({ name, namespaces: [labels['helm.toolkit.fluxcd.io/namespace'] ?? 'flux-system'] }),
    isPaused: ({ spec }) => spec.suspend === true,
  },
  {
    by: 'fleet',
    mark: "labels['fleet.cattle.io/bundle-name']",
    resource: resources.fleetBundles,
    where: (name) => ({ name, namespaces: ['fleet-local', 'fleet-default'] }),
    isPaused: ({ spec }) => spec.paused === true,
  },
];

const labelled = fields({ metadata: fields({ labels: textMap }) });

/** Objects that a plan may write and that are searched for signs of other tools. */
export const ownedObjects = {
  installation: tracked.installation,
  felixDefault,
  kubeProxy: tracked.kubeProxy,
  kubeProxyConfig: tracked.kubeProxyConfig,
  operator: tracked.operator,
  operatorEndpoint: tracked.operatorEndpoint,
  manifestAgents: tracked.manifestAgents,
  canal: tracked.canal,
};

/** These signs with the settings of the tool's own object. If that cannot be read, the sign stays as the object shows it. */
export const ownershipMarks: Query<OwnershipMark[]> = {
  rules: [...new Set(sourceRules.map(({ resource }) => resource))].map(({ group, plural }) => ({
    verb: 'get',
    group,
    resource: plural,
  })),
  enlist: (session) => {
    const owned = Object.values(ownedObjects).map((query) => query.enlist(session));
    return async () => {
      const objects = await Promise.all(owned.map((fetch) => fetch()));
      const marks = objects.flatMap(({ value }) =>
        value === null ? [] : marksOf(value).map((mark) => ({ mark, value })),
      );
      const value = await Promise.all(
        marks.map(async ({ mark, value: object }) => {
          const rule = sourceRules.find(({ by, mark: end }) => by === mark.by && mark.evidence.path.endsWith(end));
          if (!rule) return mark;
          const refs = refsOf(rule, mark, object);
          const read = await Promise.all(refs.map((ref) => session.object(ref)));
          const at = read.findIndex((one) => one.value !== null);
          const [source, ref] = [read[at]?.value, refs[at]];
          const [sought] = refs;
          const known = ref
            ? { ...mark, source: objectId(ref) }
            : { ...mark, source: null, ...(sought ? { sought: objectId(sought) } : {}) };
          if (mark.state === 'paused' || !source) return known;
          return {
            ...known,
            state: rule.isPaused(pausable.parse(source), object) ? ('paused' as const) : ('acts' as const),
          };
        }),
      );
      return { value, missing: [] };
    };
  },
};

/** Annotations may hold anything; what is no name would be a flag in the commands that pause the tool (`--all`). */
function refsOf({ resource, where }: SourceRule, { evidence }: OwnershipMark, object: KubeObject): ObjectRef[] {
  const { name, namespaces } = where(String(evidence.value), labelled.parse(object).metadata.labels);
  if (!isObjectName(name)) return [];
  return namespaces
    .filter((namespace) => labelName.test(namespace))
    .map((namespace) => ({ resource, namespace, name }));
}
