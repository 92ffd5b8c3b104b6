import { mergeDifference } from '#lib/base/records.ts';
import { type CalicoKind, shownObject, storedPatch } from '#lib/calico-api/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { yamlDiff } from '#lib/plan/index.ts';
import { names, type ObjectRef } from '#lib/spec/index.ts';
import { visible, visibleLine } from '#lib/text/index.ts';
import {
  type FoundObject,
  findObject,
  listObjects,
  type OpenKind,
  openKinds,
} from '#lib/usecases/calico/calico-objects.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Flags, FlagTable } from '../flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { confirm } from '../terminal/confirm.ts';
import { writeData } from '../terminal/output.ts';
import { inKubectlWords, notFoundWords } from './kubectl-words.ts';
import { type NamedObjects, namespaceOf } from './named-objects.ts';
import { asKubectlPrints, objectName } from './objects-table.ts';
import { sandboxAsItIs } from './sandbox-as-it-is.ts';

/** The flags of commands that write. */
export const changeFlags = {
  'dry-run': { value: 'server|none', help: 'server: the API server checks the change, and stores nothing' },
  yes: { short: 'y', help: 'do not ask for confirmation' },
} as const satisfies FlagTable;

export type Target = { readonly open: OpenKind; readonly found: FoundObject };

export type SelectedObjects = NamedObjects & { readonly labelSelector: string | null; readonly all: boolean };

/** Opens the cluster and finds all named objects, or throws in kubectl's words before anything is changed. */
export async function withTargets(
  invocation: Invocation,
  selected: SelectedObjects,
  work: (cluster: OpenCluster, targets: readonly Target[]) => Promise<number>,
): Promise<number> {
  const { flags, env, signal } = invocation;
  // A dry run creates no sandbox.
  const use = isDryRun(flags) ? await sandboxAsItIs(flags, env) : 'kept';
  return withCluster({ flags, env }, use, async (cluster) => {
    try {
      return await work(cluster, await targetsOf(cluster.kube, flags, selected, signal));
    } catch (error) {
      throw inKubectlWords(error);
    }
  });
}

async function targetsOf(kube: Kube, flags: Flags, selected: SelectedObjects, signal: AbortSignal): Promise<Target[]> {
  const namespace = namespaceOf(flags, kube);
  const open = await openKinds(kube, selected.words, signal);
  const targets: Target[] = [];
  for (const [index, one] of open.entries()) {
    if (selected.labelSelector !== null || selected.all) {
      for (const found of await listObjects(kube, one, { namespace, labelSelector: selected.labelSelector }, signal))
        targets.push({ open: one, found });
    }
    for (const { name } of selected.names.filter(({ word }) => word === selected.words[index])) {
      const found = await findObject(kube, one, namespace, name, signal);
      const { plural, group } = one.kind.shown;
      if (found) targets.push({ open: one, found });
      else if (!flags.has('ignore-not-found')) throw new CliError(exit.usage, notFoundWords(plural, group, name));
    }
  }
  return targets;
}

/** The object's reference with its version, so that a later change by others is not overwritten. */
export function refOf({ open, found: { served } }: Target): ObjectRef {
  const { name = '', namespace } = served.metadata;
  return { resource: open.served, name, ...(namespace === undefined ? {} : { namespace }) };
}

export type Change = {
  readonly target: Target;
  readonly after: KubeObject;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The request that makes Calico's API show the object as `after`. Throws in kubectl's words if that is not allowed. */
export function changeTo(target: Target, after: KubeObject): Change {
  const { open, found } = target;
  const { shown } = found;
  for (const field of ['apiVersion', 'kind'] as const)
    if (after[field] !== shown[field])
      throw usageError(`error: ${field}: ${JSON.stringify(after[field])} is not ${shown[field]}`);
  if (after.metadata.name !== shown.metadata.name || after.metadata.namespace !== shown.metadata.namespace)
    throw usageError(
      `Error from server (BadRequest): the name of the object (${visibleLine(String(after.metadata.name))}) does not match the name on the URL (${shown.metadata.name})`,
    );
  if (open.through === 'calico-api') return { target, after, body: mergeDifference(shown, after) ?? {} };
  const patch = storedPatch(found, after, open.kind);
  if ('refused' in patch) throw usageError(patch.refused);
  return { target, after, body: patch.body };
}

/** Resolves with the changed object as Calico's API shows it. */
async function sendChange(kube: Kube, { target, body }: Change, flags: Flags, signal: AbortSignal) {
  const { resourceVersion } = target.found.served.metadata;
  const condition = resourceVersion === undefined ? {} : { resourceVersion };
  const dryRun = isDryRun(flags) ? { dryRun: 'all' as const } : {};
  const answer = await kube.patch(
    refOf(target),
    { type: 'merge', body, ...condition },
    { fieldManager: names.fieldManager, signal, ...dryRun },
  );
  return shownObject(answer, target.open.kind, target.open.calicoVersion);
}

export type ChangesFormat = 'table' | 'json' | 'yaml' | 'name';

/**
 * Asks for confirmation, sends the effective changes, and prints each object afterwards. `words`: kubectl's words for the result. Throws in kubectl's words if an
 * object was changed by others meanwhile.
 */
export async function carryOutChanges(
  invocation: Invocation,
  kube: Kube,
  changes: readonly Change[],
  { format, words }: { format: ChangesFormat; words: (isNeeded: boolean) => string },
): Promise<void> {
  const { flags, terminal, signal } = invocation;
  const needed = changes.filter(({ body }) => Object.keys(body).length > 0);
  if (needed.length > 0) await confirmChanges(invocation, kube, needed);
  for (const one of changes) {
    const isNeeded = needed.includes(one);
    const after = isNeeded ? await sendChange(kube, one, flags, signal) : one.after;
    const name = objectName(one.target.open.kind, after.metadata.name ?? '');
    if (format === 'table') terminal.out(`${name} ${words(isNeeded)}${doneWords(flags)}`);
    else if (format === 'name') terminal.out(name);
    else writeData(terminal, format, asKubectlPrints(after));
  }
}

/** Follows kubectl's words for a write. */
export const doneWords = (flags: Flags) => (isDryRun(flags) ? ' (server dry run)' : '');

export function isDryRun(flags: Flags): boolean {
  const given = flags.text('dry-run') ?? 'none';
  if (given !== 'server' && given !== 'none')
    throw usageError(`--dry-run: ${JSON.stringify(given)} is not one of server, none`);
  return given === 'server';
}

/** A warning: Calico's own API validates more than the stored definitions do. */
const notValidated =
  "Warning: Calico's own API (projectcalico.org/v3) does not answer, so it did not validate the change: only selectors and immutable fields were checked here. Check every other value yourself.";

/** Shows the changes in the form of Calico's API, warns of missing validation, and asks. A dry run is not asked about. */
async function confirmChanges({ terminal, flags }: Invocation, kube: Kube, changes: readonly Change[]): Promise<void> {
  if (changes.some(({ target }) => target.open.through === 'datastore')) terminal.err(notValidated);
  if (isDryRun(flags) || flags.has('yes')) return;
  if (terminal.canAsk)
    for (const { target, after } of changes) terminal.err(visible(yamlDiff(target.found.shown, after)));
  await confirmWrite(
    { terminal, flags },
    `Change ${changes.length === 1 ? 'this object' : `these ${changes.length} objects`} of ${visibleLine(kube.name)}`,
  );
}

/** `question`: what is about to be done, as a command. */
export async function confirmWrite(
  invocation: Pick<Invocation, 'terminal' | 'flags'>,
  question: string,
): Promise<void> {
  if (isDryRun(invocation.flags)) return;
  await confirm(invocation, { why: 'this changes the cluster', question: `${question}? Type yes to continue: ` });
}

export function whyNotDeleted({ shown, readOnly, beforeDeletion }: CalicoKind): string | null {
  const name = `${shown.plural}.${shown.group}`;
  if (readOnly !== null) return `${name} cannot be deleted where they are stored: ${readOnly}.`;
  if (beforeDeletion === null) return null;
  return `${name} cannot be deleted where they are stored: Calico's own API, which does not answer, ${beforeDeletion} first.`;
}
