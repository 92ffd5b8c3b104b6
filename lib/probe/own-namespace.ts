import { type Clock, isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { type MissingRule, names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import { type Holder, isHeldBy, livingHolder } from './holder.ts';
import type { PullSecret } from './objects/settings.ts';

/** Tests on nodes put their objects into a namespace of their own, so that deleting it removes everything. */

const everyMs = 500;
/** Longer than pods have to end (durations.ts: secondsToEnd). */
const removalMs = 15_000;

/** A Namespace by its name. */
export function namespaceRef(name: string): ObjectRef {
  return { resource: resources.namespaces, name };
}

/** Rejects with `forbidden` and the missing rule. `of`: what needs the rights. */
export async function refuseWithoutRights(
  kube: Kube,
  rules: readonly MissingRule[],
  { of, signal }: { of: string; signal: AbortSignal },
): Promise<void> {
  const missing = await missingRule(kube, rules, signal);
  if (missing === null) return;
  throw new KubeError('forbidden', `${ruleInWords(missing, of)} Nothing was made.`, { rule: missing });
}

/** The first of the rules that this account does not have; null if it has all. */
export async function missingRule(
  kube: Kube,
  rules: readonly MissingRule[],
  signal: AbortSignal,
): Promise<MissingRule | null> {
  const missing = (await kube.allowed(rules, { signal })).find(({ allowed }) => !allowed);
  if (missing === undefined) return null;
  const { verb, group, resource, subresource, namespace, name } = missing;
  return { verb, group, resource, subresource, namespace, name };
}

/** A sentence for the user without the right. `of`: what needs it. */
export function ruleInWords({ verb, resource, subresource, namespace }: MissingRule, of: string): string {
  const what = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  return `You may not ${what}${namespace === undefined ? '' : ` in ${namespace}`}, which ${of} needs.`;
}

type RemovalOptions = { kube: Kube; clock: Clock; signal: AbortSignal; holder?: Holder };

/**
 * Removes the namespace of an earlier test that has ended or was killed. Rejects with `conflict` if it is not Signalbox's, or its holder is still at
 * work.
 */
export async function removeEarlier(options: RemovalOptions, name: string, patienceMs: number): Promise<void> {
  const { kube, clock, signal, holder } = options;
  const deadline = clock.monotonic() + patienceMs;
  while (true) {
    const found = await kube.get(namespaceRef(name), { signal });
    if (found === null) return;
    if (found.metadata.labels?.[names.managedByLabel] !== names.fieldManager)
      throw new KubeError(
        'conflict',
        `There is a namespace ${name} that Signalbox did not make. Remove it, or keep what is in it elsewhere.`,
      );
    if (clock.monotonic() > deadline)
      throw new KubeError('timeout', `Namespace ${name} of an earlier test is still being deleted.`);
    if (found.metadata.deletionTimestamp) {
      await clock.sleep(everyMs, signal);
      continue;
    }
    const living = await livingHolder({ kube, clock, signal, ...(holder && { isDead: holder.isDead }) }, found);
    if (living !== null) throw new KubeError('conflict', `${living} Wait for it, or stop it where it runs.`);
    await deleteNamespace(kube, name, found.metadata.uid, signal);
  }
}

/** Deletes only the namespace with this UID: another process may have made its own meanwhile. */
export async function deleteNamespace(
  kube: Kube,
  name: string,
  uid: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    await kube.delete(namespaceRef(name), { signal, ...(uid === undefined ? {} : { uid }) });
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict')) throw error;
  }
}

/** The UID of a namespace that may have been created although its creation failed here. With a holder, only of a namespace that it holds. */
export async function ownNamespace(kube: Kube, name: string, holder?: Holder): Promise<string | undefined> {
  const found = await kube.get(namespaceRef(name), { signal: AbortSignal.timeout(removalMs) }).catch(() => null);
  if (found === null || (holder !== undefined && !isHeldBy(holder, found))) return undefined;
  return found.metadata.labels?.[names.managedByLabel] === names.fieldManager ? found.metadata.uid : undefined;
}

/**
 * Deletes the namespace with everything in it, even if the caller was interrupted. Null once it is gone; otherwise a sentence that says why it may
 * still be there. `next`: what will remove it then.
 */
export async function removeNamespace(
  { kube, clock }: Pick<RemovalOptions, 'kube' | 'clock'>,
  { name, uid, next }: { name: string; uid: string; next: string },
): Promise<string | null> {
  const signal = AbortSignal.timeout(2 * removalMs);
  try {
    await deleteNamespace(kube, name, uid, signal);
    const deadline = clock.monotonic() + removalMs;
    while ((await kube.get(namespaceRef(name), { signal }))?.metadata.uid === uid) {
      if (clock.monotonic() > deadline)
        return `Namespace ${name} is still being deleted, with what is in it. The next ${next} removes what is left.`;
      await clock.sleep(everyMs, signal);
    }
    return null;
  } catch (error) {
    if (!isKubeError(error) && !signal.aborted) throw error;
    const because = isKubeError(error) ? error.message : 'the API server did not answer in time.';
    return `Namespace ${name} could not be deleted: ${because} The next ${next} removes it.`;
  }
}

/** The resource of an object that a test creates. Throws for any other kind. */
export function resourceOf({ kind }: KubeObject): Resource {
  const found = [resources.namespaces, resources.serviceAccounts, resources.secrets, resources.daemonSets].find(
    (resource) => resource.kind === kind,
  );
  if (!found) throw new Error(`A probe has no ${kind}.`);
  return found;
}

/** A copy with the content of the original; null if there is no original: the image that needs it then fails with its own error. */
export async function filled(
  copy: KubeObject,
  {
    kube,
    settings,
    signal,
  }: { kube: Kube; settings: { readonly pullSecrets?: readonly PullSecret[] }; signal: AbortSignal },
): Promise<KubeObject | null> {
  const from = settings.pullSecrets?.find(({ name }) => name === copy.metadata.name);
  const found = from && (await kube.get({ resource: resources.secrets, ...from }, { signal }));
  return found ? { ...copy, type: found.type, data: found.data } : null;
}

/** The output of a pod; null if it has not started, is gone, or its node is away. */
export async function logOrNull(
  kube: Kube,
  pod: Parameters<Kube['logs']>[0],
  options: Parameters<Kube['logs']>[1],
): Promise<string | null> {
  try {
    return await kube.logs(pod, options);
  } catch (error) {
    if (isKubeError(error, 'aborted', 'forbidden', 'unauthorized') || !isKubeError(error)) throw error;
    return null;
  }
}
