import { installationOf, type KubeObject } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { releaseAtLeast } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import type { Query } from '../reading/query.ts';
import { kindName, type Reading } from '../reading/reading.ts';
import type { Session } from '../reading/session.ts';
import { clusterInformation, trackedRefs } from '../reading/sources.ts';
import type { Dependant, Subject } from '../schema.ts';
import { everyKind, scanDependants } from './dependants.ts';

/** The first release with the new UIDs (calico.md §12). */
const changedIn = 'v3.28.0';
/** Objects that a finding names at the most. */
const mostNamed = 500;
/** Objects that a plan handles at the most; with more, the fact is not covered. */
const mostDependants = 10_000;

const information = fields({ spec: fields({ calicoVersion: textOrNull }) });

/**
 * Objects with owners of Calico's own API, read only before upgrades that may cross v3.28: no other query lists every object of every kind. The
 * result is bounded.
 */
const dependants: Query<readonly Dependant[]> = {
  // The kinds are not known beforehand, so no role can name them. A refusal names its kind.
  rules: [],
  enlist: (session) => {
    const informed = clusterInformation.enlist(session);
    return async () => {
      if (session.goal !== 'upgrade') return notRead('only read before an upgrade');
      const version = await versionOf(session, informed);
      if (version !== null && releaseAtLeast(version, changedIn) === 'yes')
        return notRead(`Calico ${version} has the later UIDs already`);
      return scan(session);
    };
  },
};

export const ownerReferences = defineCollector({
  id: 'upgrade/owner-references',
  provides: ['ownerReferences'],
  reads: { dependants },
  collect: ({ dependants: { value } }) => ({
    upgrade: { ownerReferences: value.slice(0, mostNamed).map(subjectOf), dependants: [...value] },
  }),
});

function notRead(because: string): Reading<readonly Dependant[]> {
  return { value: [], missing: [{ kind: everyKind, because, notAsked: true }] };
}

async function versionOf(
  session: Session,
  informed: () => Promise<Reading<KubeObject | null>>,
): Promise<string | null> {
  const { value: installation } = await session.object(trackedRefs.installation);
  const version = installation && installationOf(installation).status.calicoVersion;
  if (version) return version;
  const { value } = await informed();
  return value && information.parse(value).spec.calicoVersion;
}

async function scan(session: Session): Promise<Reading<readonly Dependant[]>> {
  const found: Dependant[] = [];
  let more = 0;
  const missing = await scanDependants(
    session.kube,
    (one) => (found.length < mostDependants ? found.push(one) : more++),
    session.signal,
  );
  if (more > 0) missing.push({ kind: everyKind, because: `${more} more objects are owned than are kept here` });
  // Objects that the dump lacks may have such owners too.
  if (session.isDump) missing.push({ kind: everyKind, because: 'a dump need not hold them all' });
  return { value: found.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1)), missing };
}

/** The object as the subject of a finding. */
function subjectOf({ resource, namespace, name, references }: Dependant): Subject {
  const owners = references.map((one) => `${one.kind}/${one.name}`).join(', ');
  return { kind: kindName(resource), namespace, name, detail: `owned by ${owners} of ${references[0]?.apiVersion}` };
}

function sortKey({ resource, namespace, name }: Dependant): string {
  return `${kindName(resource)} ${namespace ?? ''} ${name}`;
}
