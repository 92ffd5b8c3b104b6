/** Kinds whose objects lie under the name of their tier (libcalico-go/lib/backend/k8s/resources/resources.go, read 2026-11-23). */
const tieredKinds: ReadonlySet<string> = new Set([
  'GlobalNetworkPolicy',
  'NetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'StagedNetworkPolicy',
]);

/** Names that Calico makes itself, of policies of others: they say their tier in another way (libcalico-go/lib/names/policy.go, read 2026-11-23). */
const madeNames: readonly { readonly prefix: string; readonly tier: string }[] = [
  { prefix: 'knp.default.', tier: 'default' },
  { prefix: 'kanp.adminnetworkpolicy.', tier: 'adminnetworkpolicy' },
  { prefix: 'kbanp.baselineadminnetworkpolicy.', tier: 'baselineadminnetworkpolicy' },
  { prefix: 'ossg.', tier: 'default' },
];

const defaultPrefix = 'default.';

export function isTiered(kind: string): boolean {
  return tieredKinds.has(kind);
}

const madeName = (name: string) => madeNames.find(({ prefix }) => name.startsWith(prefix));

/** `web` → `default.web`; a name that says its tier stays as it is. */
function storedName(name: string): string {
  return madeName(name) || name.includes('.') ? name : defaultPrefix + name;
}

/**
 * Under which names an object may lie that is shown under this one, likeliest first. A policy named `default.web` before v3.28 lies under
 * `default.default.web`.
 */
export function storedNames(kind: string, name: string): string[] {
  return isTiered(kind) ? [...new Set([storedName(name), defaultPrefix + name])] : [name];
}

/**
 * The name that Calico's API shows: the one under which the policy was created, which v3.29.4, v3.30.1 and later note beside it; else the stored
 * one without the prefix of the default tier (calico#10391, #10417). A noted name that does not lead to this object is a stranger's.
 */
export function shownName(kind: string, stored: string, noted: unknown): string {
  if (!isTiered(kind)) return stored;
  if (typeof noted === 'string' && noted !== '' && storedName(noted) === stored) return noted;
  return !madeName(stored) && stored.startsWith(defaultPrefix) ? stored.slice(defaultPrefix.length) : stored;
}

/** The tier that a stored name says. */
export function tierOf(stored: string): string {
  return madeName(stored)?.tier ?? (stored.includes('.') ? (stored.split('.')[0] ?? 'default') : 'default');
}
