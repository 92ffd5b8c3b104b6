import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import type { Query } from '../reading/query.ts';
import type { Missing, Reading } from '../reading/reading.ts';
import type { Listing, Session } from '../reading/session.ts';
import { tracked, trackedRefs } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';
import { type DecodedRelease, decodeHelmRelease } from './helm-release.ts';

type HelmRelease = Facts['resources']['helmReleases'][number];

/** A release as the labels of its newest Secret tell it; what is inside is read only for these. */
type Stored = {
  readonly name: string;
  readonly namespace: string;
  readonly secret: string;
  readonly revision: number;
  readonly status: string;
  /** The newest one that was deployed, by its label. */
  readonly deployed: number | null;
};
type Mark = { readonly name: string; readonly namespace: string; readonly chart: string | null };
type ReadReleases = {
  readonly marks: readonly Mark[];
  readonly stored: readonly (Stored & { decoded: DecodedRelease | null })[];
};

const named = fields({ metadata });
const isOurs = /calico|tigera/i;

/** Secrets are read last and least: only in the namespaces where a release of Calico would be, only Helm's, and only the newest of each. */
const releases: Query<ReadReleases> = {
  rules: [
    { verb: 'list', group: '', resource: 'secrets', namespace: names.operatorNamespace },
    { verb: 'get', group: '', resource: 'secrets', namespace: names.operatorNamespace },
  ],
  enlist: (session) => async (): Promise<Reading<ReadReleases>> => {
    const marked = await Promise.all([session.object(trackedRefs.operator), session.object(trackedRefs.installation)]);
    const marks = marked.flatMap(({ value }) => (value === null ? [] : markOf(value)));
    const places = session.isDump
      ? [null]
      : [...new Set([names.operatorNamespace, ...marks.map(({ namespace }) => namespace)])];
    const lists = await Promise.all(places.map((namespace) => newestIn(session, namespace)));
    const wanted = lists
      .flatMap(({ value }) => value)
      .filter(
        ({ name, namespace }) =>
          isOurs.test(name) ||
          namespace === names.operatorNamespace ||
          marks.some((mark) => mark.name === name && mark.namespace === namespace),
      );
    const read = await Promise.all(wanted.map((one) => open(session, one)));
    return {
      value: { marks, stored: read.map(({ value }) => value) },
      missing: [...lists, ...read].flatMap(({ missing }) => missing),
    };
  },
};

export const helm = defineCollector({
  id: 'helm',
  tells: ['helm'],
  reads: { releases, operator: tracked.operator, installation: tracked.installation },
  collect: ({ releases: read, operator, installation }) => {
    const { marks, stored } = read.value;
    const known: HelmRelease[] = stored.map(({ name, namespace, revision, status, deployed, decoded }) => ({
      name,
      namespace,
      chart: decoded?.chart ?? marks.find((mark) => mark.name === name)?.chart ?? null,
      revision: decoded?.revision ?? revision,
      status: decoded?.status || status,
      ...(deployed !== null && deployed < revision ? { deployedBefore: deployed } : {}),
      values: decoded?.values ?? null,
    }));
    const unread = marks.filter(
      (mark) => !known.some(({ name, namespace }) => name === mark.name && namespace === mark.namespace),
    );
    const byMark = [...new Map(unread.map((mark) => [`${mark.namespace}/${mark.name}`, mark])).values()].map(
      (mark): HelmRelease => ({ ...mark, revision: 0, status: 'unknown', values: null }),
    );
    // Helm marks what it makes: where neither the operator nor the Installation is marked, nobody need open a Secret to know.
    const isUnmarked = marks.length === 0 && operator.missing.length === 0 && installation.missing.length === 0;
    const missing = isUnmarked ? [] : [...read.missing, ...operator.missing, ...installation.missing];
    return {
      resources: { helmReleases: [...known, ...byMark] },
      coverage: { helm: { covered: missing.length === 0, missing } },
    };
  },
});

function markOf(object: KubeObject): Mark[] {
  const { labels, annotations, namespace } = named.parse(object).metadata;
  const name = annotations['meta.helm.sh/release-name'];
  if (!name) return [];
  const where = annotations['meta.helm.sh/release-namespace'] || namespace || names.operatorNamespace;
  return [{ name, namespace: where, chart: labels['helm.sh/chart'] ?? null }];
}

async function newestIn(session: Session, namespace: string | null): Promise<Reading<Stored[]>> {
  const listing: Listing = {
    resources: [resources.secrets],
    detail: 'metadata',
    labelSelector: 'owner=helm',
    ...(namespace === null ? {} : { namespace }),
  };
  const newest = new Map<string, Stored>();
  const fetch = session.enlist(listing, {
    each: (object) => {
      const stored = storedOf(object);
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

/** What a revision that was deployed is called once another one came. */
const wasDeployed: ReadonlySet<string> = new Set(['deployed', 'superseded']);

/** `sh.helm.release.v1.calico.v3`, labels name, owner, status, version. */
function storedOf(object: KubeObject | ObjectMetadata): Stored | null {
  const { name: secret, namespace, labels } = metadata.parse(object.metadata);
  const match = /^sh\.helm\.release\.v1\.(.+)\.v(\d+)$/.exec(secret);
  if (!match || labels.owner !== 'helm') return null;
  return {
    name: labels.name ?? match[1] ?? '',
    namespace: namespace ?? '',
    secret,
    revision: Number(labels.version ?? match[2]) || 0,
    status: labels.status ?? 'unknown',
    deployed: wasDeployed.has(labels.status ?? '') ? Number(labels.version ?? match[2]) || null : null,
  };
}

async function open(session: Session, stored: Stored): Promise<Reading<Stored & { decoded: DecodedRelease | null }>> {
  const { namespace, secret } = stored;
  const { value, missing } = await session.object({ resource: resources.secrets, namespace, name: secret });
  const decoded = value && decodeHelmRelease(value);
  const unreadable: Missing[] =
    value !== null && decoded === null
      ? [{ kind: 'Secret', because: `${namespace}/Secret/${secret} is no release that Helm wrote` }]
      : [];
  return { value: { ...stored, decoded }, missing: [...missing, ...unreadable] };
}
