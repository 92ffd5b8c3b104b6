import { inParallel } from '#lib/base/in-parallel.ts';
import { installationOf, isKubeError, type KubeObject, type ObjectMetadata } from '#lib/kube/index.ts';
import { fields, text, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { type Resource, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import type { Query } from '../reading/query.ts';
import { kindName, type Missing, missingOf, type Reading } from '../reading/reading.ts';
import type { Session } from '../reading/session.ts';
import { clusterInformation, trackedRefs } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

/** From here on the UIDs have changed already (calico.md §12). */
const changedIn = 'v3.28.0';
/** So many objects are named; one is enough to fail. */
const mostKept = 500;
/** Kinds that are listed at the same time. */
const atOnce = 4;
const pageSize = 300;

/** Events own nothing that matters, and are as many as all else. Calico's own references are translated when they are read (calico.md §12). */
const passedOver = /^(Event|Event\.events\.k8s\.io|.*\.(crd\.)?projectcalico\.org)$/;

const everyKind = 'every kind';
const owner = fields({ apiVersion: text, kind: text, name: text });
const information = fields({ spec: fields({ calicoVersion: textOrNull }) });

/**
 * Metadata of every object of every kind, for an upgrade that may cross v3.28 and for no other: it is the one read that grows with everything
 * in the cluster. Paged, a few kinds at a time; what is kept is bounded.
 */
const dependants: Query<readonly Subject[]> = {
  // Of kinds that nobody knows beforehand: a role cannot name them, and a refusal names each.
  rules: [],
  enlist: (session) => {
    const informed = clusterInformation.enlist(session);
    return async () => {
      if (session.goal !== 'upgrade') return notRead('they are looked at before an upgrade only');
      const version = await versionOf(session, informed);
      if (version !== null && releaseAtLeast(version, changedIn) === 'yes')
        return notRead(`Calico ${version} has the later UIDs already`);
      return scan(session);
    };
  },
};

export const ownerReferences = defineCollector({
  id: 'upgrade/owner-references',
  tells: ['ownerReferences'],
  reads: { dependants },
  collect: ({ dependants: { value } }) => ({ upgrade: { ownerReferences: [...value] } }),
});

function notRead(because: string): Reading<readonly Subject[]> {
  return { value: [], missing: [{ kind: everyKind, because, notAsked: true }] };
}

async function versionOf(
  session: Session,
  informed: () => Promise<Reading<KubeObject | null>>,
): Promise<string | null> {
  const { value: installation } = await session.object(trackedRefs.installation);
  const told = installation && installationOf(installation).status.calicoVersion;
  if (told) return told;
  const { value } = await informed();
  return value && information.parse(value).spec.calicoVersion;
}

async function scan(session: Session): Promise<Reading<readonly Subject[]>> {
  const missing: Missing[] = [];
  const kept: Subject[] = [];
  const kinds = await listable(session, missing);
  const unread = await inParallel(kinds, atOnce, (resource) => scanKind(session, resource, kept));
  missing.push(...unread.flat());
  // What a dump does not hold may own something too.
  if (session.isDump) missing.push({ kind: everyKind, because: 'a dump need not hold them all' });
  return { value: kept.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1)), missing };
}

async function listable(session: Session, missing: Missing[]): Promise<Resource[]> {
  try {
    const { resources, failing } = await session.kube.discover(session.signal ? { signal: session.signal } : {});
    const hidden = failing.filter(({ groupVersion }) => !groupVersion.includes('projectcalico.org'));
    missing.push(...hidden.map(({ groupVersion, because }) => ({ kind: groupVersion, because })));
    return resources.filter(
      (resource) =>
        resource.verbs.includes('list') && !resource.plural.includes('/') && !passedOver.test(kindName(resource)),
    );
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    missing.push({ kind: everyKind, because: error.message });
    return [];
  }
}

async function scanKind(session: Session, resource: Resource, kept: Subject[]): Promise<Missing[]> {
  try {
    const options = { pageSize, ...(session.signal ? { signal: session.signal } : {}) };
    for await (const { items } of session.kube.listMetadata(resource, options)) {
      for (const object of items) {
        const found = dependant(object, resource);
        if (found && kept.length < mostKept) kept.push(found);
      }
    }
    return [];
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    if (isKubeError(error, 'not-served')) return [];
    return [missingOf(resource, error, { verb: 'list', group: resource.group, resource: resource.plural })];
  }
}

/** Null where nobody of `projectcalico.org/v3` owns it. */
function dependant(object: KubeObject | ObjectMetadata, resource: Resource): Subject | null {
  const references = Array.isArray(object.metadata.ownerReferences) ? object.metadata.ownerReferences : [];
  const ours = references
    .map((one) => owner.parse(one))
    .filter((one) => one.apiVersion.startsWith('projectcalico.org/'));
  if (ours.length === 0) return null;
  const { name, namespace } = metadata.parse(object.metadata);
  const owners = ours.map((one) => `${one.kind}/${one.name}`).join(', ');
  return { kind: kindName(resource), namespace, name, detail: `owned by ${owners} of ${ours[0]?.apiVersion}` };
}

function sortKey({ kind, namespace, name }: Subject): string {
  return `${kind} ${namespace ?? ''} ${name}`;
}
