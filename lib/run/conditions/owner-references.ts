import { counted, inList } from '#lib/base/words.ts';
import { type Subject, scanDependants } from '#lib/facts/index.ts';
import { type Condition, type OwnedObject, withoutOwners } from '#lib/plan/index.ts';
import { isSameOwner, liveDependant, type Owner, ownerKinds, ownerNow } from '../acts/owner-references.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
type Context = Pick<ConditionContext, 'kube' | 'clock' | 'signal'>;

/** Objects that a pause names at the most. */
const mostNamed = 100;
/** How many readings in a row must agree: during a rollout, servers of both releases answer by turns (operations.md › owner-refs.remove). */
const equalReads = 3;
const betweenReadsMs = 1_000;

/** Code of the pause because somebody writes the references again. */
export const broughtBack = 'owner-references.brought-back';

/** No object of any kind is owned by an object of Calico's own API. All kinds are listed, so that owners that came after the plan are found too. */
export async function ownerReferencesGone(
  { dependants }: Of<'owner-references-gone'>,
  { kube, signal }: Context,
): Promise<Progress> {
  const planned = new Map(dependants.map(({ uid, references }) => [uid, references]));
  const found: Subject[] = [];
  const writers = new Set<string>();
  let again = 0;
  const commandsOfNew: string[] = [];
  const missing = await scanDependants(
    kube,
    ({ resource, namespace, name, uid, references, writers: by }) => {
      const isKnown = references.every((one) => planned.get(uid)?.some((reference) => isSameOwner(one, reference)));
      if (isKnown) again++;
      for (const one of by) writers.add(one);
      const target = { resource, ...(namespace === null ? {} : { namespace }), name };
      const command = isKnown ? null : withoutOwners({ target, references });
      if (command !== null && commandsOfNew.length < mostNamed) commandsOfNew.push(command);
      if (found.length >= mostNamed) return;
      const owners = references.map((one) => `${one.kind} ${one.name}`).join(', ');
      const who = by.length === 0 ? '' : `, written by ${by.join(', ')}`;
      const wayOut = command === null ? '' : `; to take that away: ${command}`;
      found.push({ kind: resource.kind, namespace, name, detail: `is owned by ${owners}${who}${wayOut}` });
    },
    signal,
  );
  if (found.length > 0) {
    const names = inList(found.map(({ kind, name }) => `${kind} ${name}`));
    const who = writers.size === 0 ? 'whoever writes them' : inList([...writers]);
    const [first] = commandsOfNew;
    const ofKnown = again > 0 ? ' Those that the plan names are removed again when you continue.' : '';
    // The run keeps references that the plan does not name, because its undo could not restore them.
    const ofNew =
      first === undefined
        ? ''
        : ` Some were not there when the plan was made, and this run leaves them as they are: to continue in this direction, note them, take them away yourself, the first with \`${first}\`, then continue. While the earlier release runs, you can undo and plan again instead.`;
    return {
      kind: 'failed',
      code: broughtBack,
      because: `Owner references to Calico's own API are there again: ${names}. Pause ${who} first.${ofKnown}${ofNew}`,
      subjects: found,
    };
  }
  if (missing.length > 0)
    return {
      kind: 'unknown',
      because: `More objects may be owned by objects of Calico's own API, not verified: ${inList(missing.map(({ kind, because }) => `${kind} (${because})`))}.`,
      subjects: missing
        .slice(0, mostNamed)
        .map(({ kind, because }) => ({ kind, namespace: null, name: '*', detail: because })),
    };
  return met([], 'no object of any kind is owned by one of projectcalico.org/v3');
}

/** Calico's own API serves each owner with the UID that this release computes, in every one of several readings. */
export async function ownersServed(
  { dependants, uids }: Of<'owners-served'>,
  { kube, clock, signal }: Context,
): Promise<Progress> {
  const kinds = await ownerKinds(kube, signal);
  const owners = distinctOwners(dependants);
  for (let read = 0; read < equalReads; read++) {
    if (read > 0) await clock.sleep(betweenReadsMs, signal).catch(() => {});
    for (const { dependant, reference } of owners) {
      const owner = await ownerNow(kube, kinds, dependant, reference, uids, signal);
      if (owner.kind === 'gone' || owner.served === owner.expected) continue;
      const who = { kind: reference.kind, namespace: dependant.target.namespace ?? null, name: reference.name };
      return waiting(`Calico's own API to serve ${reference.kind} ${reference.name} with the UID ${owner.expected}`, [
        { ...who, detail: servedWords(owner) },
      ]);
    }
  }
  return met([], `the UIDs of ${counted(owners.length, 'owner')} are those that are computed`);
}

/**
 * Each object has its owner references again. *unknown* for objects whose owner is gone: Kubernetes would have deleted them with it, and the run does
 * not. Rejects with a KubeError.
 */
export async function ownerReferencesRestored(
  { dependants, uids }: Of<'owner-references-restored'>,
  { kube, signal }: Context,
): Promise<Progress> {
  const kinds = await ownerKinds(kube, signal);
  const without: Subject[] = [];
  const open: Subject[] = [];
  const owners = new Map<string, Owner>();
  for (const dependant of dependants) {
    const live = await liveDependant(kube, dependant, signal);
    if (!live) continue;
    for (const reference of dependant.references) {
      const key = ownerKey({ dependant, reference });
      const owner = owners.get(key) ?? (await ownerNow(kube, kinds, dependant, reference, uids, signal));
      owners.set(key, owner);
      const { target } = dependant;
      const named = { kind: target.resource.kind, namespace: target.namespace ?? null, name: target.name };
      const has = (live.metadata.ownerReferences ?? []).find((one) => isSameOwner(one, reference));
      if (owner.kind === 'gone') {
        if (!has) without.push({ ...named, detail: owner.because });
      } else if (has?.uid !== owner.expected)
        open.push({ ...named, detail: `lacks its owner ${reference.kind} ${reference.name}; ${servedWords(owner)}` });
    }
  }
  if (open.length > 0) return waiting('every owner reference to be there again', open.slice(0, 20));
  if (without.length === 0) return met([], 'every owner reference is there again');
  return {
    kind: 'unknown',
    because: `${inList(without.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`))}. Kubernetes would have deleted ${without.length === 1 ? 'it' : 'them'} with the owner; whether to delete or keep ${without.length === 1 ? 'it' : 'them'} is yours to decide.`,
    subjects: without.slice(0, mostNamed),
  };
}

function servedWords(owner: Extract<Owner, { kind: 'there' }>): string {
  const { served, expected } = owner;
  if (served !== null)
    return `Calico's own API serves it with the UID ${served}${served === expected ? '' : ', as another release does: bring its API server to the release of the nodes'}`;
  return `Calico's own API does not serve it${owner.because === null ? '' : `: ${owner.because}`}`;
}

function distinctOwners(dependants: readonly OwnedObject[]) {
  const all = dependants.flatMap((dependant) => dependant.references.map((reference) => ({ dependant, reference })));
  return [...new Map(all.map((one) => [ownerKey(one), one])).values()];
}

/** Identifies an owner, so that one of thousands of objects is asked for once. */
function ownerKey({ dependant, reference }: { dependant: OwnedObject; reference: OwnedObject['references'][number] }) {
  const { apiVersion, kind, name, uid } = reference;
  return JSON.stringify([apiVersion, kind, dependant.target.namespace, name, uid]);
}
