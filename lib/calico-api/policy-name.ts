/** Kinds whose stored names start with their tier (libcalico-go/lib/backend/k8s/resources/resources.go, read 2026-11-23). */
const tieredKinds: ReadonlySet<string> = new Set([
  'GlobalNetworkPolicy',
  'NetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'StagedNetworkPolicy',
]);

/** Names that Calico generates for other products' policies, with another prefix for their tier (libcalico-go/lib/names/policy.go, read 2026-11-23). */
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

/** `web` becomes `default.web`; a name with a tier stays unchanged. */
function storedName(name: string): string {
  return madeName(name) || name.includes('.') ? name : defaultPrefix + name;
}

/**
 * Names under which an object that is shown with this name may be stored, likeliest first. A policy named `default.web` before v3.28 is stored as
 * `default.default.web`.
 */
export function storedNames(kind: string, name: string): string[] {
  return isTiered(kind) ? [...new Set([storedName(name), defaultPrefix + name])] : [name];
}

/**
 * The name that Calico's API shows: the name under which the policy was created, which v3.29.4, v3.30.1 and later record in it (`noted`); otherwise the stored
 * name without the prefix of the default tier (calico#10391, #10417). A recorded name that does not lead to this object is ignored as forged.
 */
export function shownName(kind: string, stored: string, noted: unknown): string {
  if (!isTiered(kind)) return stored;
  if (typeof noted === 'string' && noted !== '' && storedName(noted) === stored) return noted;
  return !madeName(stored) && stored.startsWith(defaultPrefix) ? stored.slice(defaultPrefix.length) : stored;
}

/** The tier in a stored name. */
export function tierOf(stored: string): string {
  return madeName(stored)?.tier ?? (stored.includes('.') ? (stored.split('.')[0] ?? 'default') : 'default');
}
