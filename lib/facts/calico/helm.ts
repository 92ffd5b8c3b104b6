import type { KubeObject, MissingRule, ObjectMetadata } from '#lib/kube/index.ts';
import { fields } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { definitionChartOf, type HelmDriver, helmRecordResource, isCalicoName, names } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked, type Query } from '../reading/query.ts';
import type { Missing, Reading } from '../reading/reading.ts';
import type { Listing, Session } from '../reading/session.ts';
import { definitionListing, tracked, trackedRefs } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';
import { heldByManifest } from './helm-manifest.ts';
import { type DecodedRelease, decodeHelmRelease } from './helm-release.ts';

type HelmRelease = Facts['resources']['helmReleases'][number];

/** A Helm release by the labels of its newest record. Only records of such releases are opened. */
type Stored = {
  readonly name: string;
  readonly namespace: string;
  readonly record: string;
  readonly driver: HelmDriver | undefined;
  readonly revision: number;
  readonly status: string;
  /** The newest deployed revision, by its label; null: none. */
  readonly deployed: number | null;
};
type Mark = {
  readonly name: string;
  readonly namespace: string;
  readonly chart: string | null;
  readonly on: 'definition' | 'other';
};
type ReadReleases = {
  readonly marks: readonly Mark[];
  readonly stored: readonly (Stored & { decoded: DecodedRelease | null })[];
};

const named = fields({ metadata });

/** CustomResourceDefinitions of Calico with Helm's annotations, which name the release and its namespace. */
const markedDefinitions = picked(definitionListing, (object) =>
  isCalicoName(object.metadata.name ?? '') ? (markOf(object, 'definition')[0] ?? null) : null,
);

/** Namespaces in which Helm's records are looked up: the operator's, and those that Helm's annotations name. */
function recordNamespaces(releases: readonly Pick<HelmRelease, 'namespace'>[]): string[] {
  return [...new Set([names.operatorNamespace, ...releases.map(({ namespace }) => namespace)])];
}

/** Rights for reading the records of these releases. Without facts: in the operator's namespace. */
export function helmReadingRules(releases: readonly Pick<HelmRelease, 'namespace'>[]): MissingRule[] {
  return recordNamespaces(releases).flatMap((namespace) =>
    ['secrets', 'configmaps'].flatMap((resource) =>
      ['list', 'get'].map((verb) => ({ verb, group: '', resource, namespace })),
    ),
  );
}

/**
 * Helm releases of Calico. As few Secrets as possible are read: only Helm's, only in namespaces where a release of Calico may be, and only the newest of
 * each release. Releases that annotations name and Secrets do not hold are looked for in ConfigMaps, since HELM_DRIVER may differ for each release.
 */
const releases: Query<ReadReleases> = {
  rules: helmReadingRules([]),
  enlist: (session) => {
    const onDefinitions = markedDefinitions.enlist(session);
    return () => readReleases(session, onDefinitions);
  },
};

async function readReleases(
  session: Session,
  onDefinitions: () => Promise<Reading<Mark[]>>,
): Promise<Reading<ReadReleases>> {
  const marked = await Promise.all([session.object(trackedRefs.operator), session.object(trackedRefs.installation)]);
  const marks = distinct([
    ...marked.flatMap(({ value }) => (value === null ? [] : markOf(value, 'other'))),
    ...(await onDefinitions()).value,
  ]);
  const namespaces = session.isDump ? [null] : recordNamespaces(marks);
  const isWanted = ({ name, namespace }: Stored) =>
    isCalicoName(name) ||
    namespace === names.operatorNamespace ||
    marks.some((mark) => mark.name === name && mark.namespace === namespace);
  const wantedIn = async (driver: HelmDriver | undefined) => {
    const lists = await Promise.all(namespaces.map((namespace) => newestIn(session, namespace, driver)));
    const wanted = lists.flatMap(({ value }) => value).filter(isWanted);
    const read = await Promise.all(wanted.map((one) => open(session, one)));
    return { stored: read.map(({ value }) => value), missing: [...lists, ...read].flatMap(({ missing }) => missing) };
  };
  const inSecrets = await wantedIn(undefined);
  const elsewhere = marks.filter((mark) => !inSecrets.stored.some((one) => isOf(mark, one)));
  // More accounts may write ConfigMaps than Secrets, so a record there counts only if Helm's annotations name the release, and not if Secrets were refused.
  if (elsewhere.length === 0 || inSecrets.missing.length > 0)
    return { value: { marks, stored: inSecrets.stored }, missing: inSecrets.missing };
  const { stored, missing } = await wantedIn('configmap');
  const trusted = stored.filter((one) => elsewhere.some((mark) => isOf(mark, one)));
  return { value: { marks, stored: [...inSecrets.stored, ...trusted] }, missing };
}

const isOf = (mark: Mark, { name, namespace }: Stored) => mark.name === name && mark.namespace === namespace;

/** Each release once; annotations on other objects than definitions count first. */
function distinct(marks: readonly Mark[]): Mark[] {
  const known = new Map<string, Mark>();
  for (const mark of marks) {
    const key = `${mark.namespace}/${mark.name}`;
    if (!known.has(key)) known.set(key, mark);
  }
  return [...known.values()];
}

export const helm = defineCollector({
  id: 'helm',
  provides: ['helm'],
  reads: { releases, operator: tracked.operator, installation: tracked.installation },
  collect: ({ releases: read, operator, installation }) => {
    const { marks, stored } = read.value;
    const known: HelmRelease[] = stored.map(({ name, namespace, revision, status, deployed, driver, decoded }) => {
      const mark = marks.find((one) => one.name === name && one.namespace === namespace);
      const chart = decoded?.chart ?? mark?.chart ?? null;
      return {
        name,
        namespace,
        chart,
        revision: decoded?.revision ?? revision,
        status: decoded?.status || status,
        ...(deployed !== null && deployed < revision ? { deployedBefore: deployed } : {}),
        ...(driver && { driver }),
        ...holding(decoded, mark),
        values: decoded?.values ?? null,
      };
    });
    const unread = marks.filter(
      (mark) => !known.some(({ name, namespace }) => name === mark.name && namespace === mark.namespace),
    );
    const byMark = unread.map(
      (mark): HelmRelease => ({
        name: mark.name,
        namespace: mark.namespace,
        chart: mark.chart,
        revision: 0,
        status: 'unknown',
        ...holding(null, mark),
        values: null,
      }),
    );
    // Helm annotates what it creates: without annotations on the operator and the Installation there is no release, and no Secret is read.
    const isUnmarked = marks.length === 0 && operator.missing.length === 0 && installation.missing.length === 0;
    const missing = isUnmarked ? [] : [...read.missing, ...operator.missing, ...installation.missing];
    return {
      resources: { helmReleases: [...known, ...byMark] },
      coverage: { helm: { covered: missing.length === 0, missing } },
    };
  },
});

/**
 * The part of Calico that a release holds: of a published chart by its name, of another by its record, else by Helm's annotations. If only definitions
 * have annotations, the release does not count as holding the operator.
 */
function holding(decoded: DecodedRelease | null, mark: Mark | undefined): Pick<HelmRelease, 'holds'> {
  const chart = decoded?.chart ?? null;
  if (chart === null) return mark?.on === 'definition' ? { holds: 'definitions' } : {};
  if (definitionChartOf(chart)) return { holds: 'definitions' };
  const held = operatorsChart.test(chart) ? undefined : heldByManifest(decoded?.manifest ?? '');
  return held === undefined ? {} : { holds: held };
}

/** The operator's published chart; its kinds are in its folder `crds/` or in another chart (calico.md §1.3). */
const operatorsChart = /^tigera-operator-v?\d/;

function markOf(object: KubeObject | ObjectMetadata, on: Mark['on']): Mark[] {
  const { labels, annotations, namespace } = named.parse(object).metadata;
  const name = annotations['meta.helm.sh/release-name'];
  if (!name) return [];
  const where = annotations['meta.helm.sh/release-namespace'] || namespace || names.operatorNamespace;
  return [{ name, namespace: where, chart: labels['helm.sh/chart'] ?? null, on }];
}

async function newestIn(
  session: Session,
  namespace: string | null,
  driver: HelmDriver | undefined,
): Promise<Reading<Stored[]>> {
  const listing: Listing = {
    resources: [helmRecordResource(driver)],
    detail: 'metadata',
    labelSelector: 'owner=helm',
    ...(namespace === null ? {} : { namespace }),
  };
  const newest = new Map<string, Stored>();
  const fetch = session.enlist(listing, {
    each: (object) => {
      const stored = storedOf(object, driver);
      if (stored === null) return;
      const key = `${stored.namespace}/${stored.name}`;
      const known = newest.get(key);
      const deployed = Math.max(known?.deployed ?? 0, stored.deployed ?? 0) || null;
      const newer = known !== undefined && known.revision >= stored.revision ? known : stored;
      newest.set(key, { ...newer, deployed });
    },
    result: () => [...newest.values()],
  });
  return fetch();
}

/** Statuses of revisions that were deployed: the present one and earlier ones. */
const wasDeployed: ReadonlySet<string> = new Set(['deployed', 'superseded']);

/** A record by its labels `name`, `owner`, `status` and `version`, as in `sh.helm.release.v1.calico.v3`; null: it is none. */
function storedOf(object: KubeObject | ObjectMetadata, driver: HelmDriver | undefined): Stored | null {
  const { name: record, namespace, labels } = metadata.parse(object.metadata);
  const match = /^sh\.helm\.release\.v1\.(.+)\.v(\d+)$/.exec(record);
  if (!match || labels.owner !== 'helm') return null;
  return {
    name: labels.name ?? match[1] ?? '',
    namespace: namespace ?? '',
    record,
    driver,
    revision: Number(labels.version ?? match[2]) || 0,
    status: labels.status ?? 'unknown',
    deployed: wasDeployed.has(labels.status ?? '') ? Number(labels.version ?? match[2]) || null : null,
  };
}

async function open(session: Session, stored: Stored): Promise<Reading<Stored & { decoded: DecodedRelease | null }>> {
  const { namespace, record, driver } = stored;
  const resource = helmRecordResource(driver);
  const { value, missing } = await session.object({ resource, namespace, name: record });
  const decoded = value && decodeHelmRelease(value);
  const unreadable: Missing[] =
    value !== null && decoded === null
      ? [{ kind: resource.kind, because: `${namespace}/${resource.kind}/${record} is not a release record of Helm` }]
      : [];
  return { value: { ...stored, decoded }, missing: [...missing, ...unreadable] };
}
