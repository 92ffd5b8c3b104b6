import type { V1ConfigMap } from '@kubernetes/client-node';
import {
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type ObjectToWrite,
  readClusterUid,
} from '#lib/kube/index.ts';
import { type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { provenanceOf, type RunCopy } from '../memory/provenance-of.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import { digestOfPlan, sealOf } from '../memory/seal.ts';
import type { Accepted, Entry, Journal, RunState } from '../model/journal.ts';
import type { Provenance } from '../model/provenance.ts';
import { journalOf, journalRef, textOf } from '../model/read-journal.ts';
import { withRoom } from '../model/seen.ts';
import type { ServicesWatched } from '../services/services.ts';
import { ownPart, packedPlan, planText, readPlan, writtenPlan } from './stored-plan.ts';

/**
 * Stores a run's journal and plan in the cluster: one ConfigMap for each run, `signalbox-run-<id>` (stored-plan.ts stores the plan). Only the holder
 * of the Lease writes. If another process wrote the journal meanwhile, a write is refused (`JournalTaken`): the run was taken over. If somebody
 * deleted it or its namespace, a write is refused (`JournalGone`) until `restore` has put it back.
 */

export class JournalTaken extends Error {
  override name = 'JournalTaken';
}

export class JournalGone extends Error {
  override name = 'JournalGone';
}

export type OpenJournal = {
  readonly plan: Plan;
  /** Whether it was ours or foreign when it was read. */
  readonly provenance: Provenance;
  /** What the cluster has, as far as this process knows. */
  current(): Journal;
  /** False if it was deleted and this installation's copy was read instead: nothing can be appended before `restore`. */
  isInCluster(): boolean;
  /** Creates it again after it was deleted, with what this process knows. Rejects as `create` does, and with `JournalTaken` if another journal has its name. */
  restore(): Promise<void>;
  /** Appends entries and, if given, a new state or accepted doubts; resolves when the cluster has them. */
  append(
    entries: Entry[],
    change?: { state?: RunState; accepted?: Accepted[]; services?: ServicesWatched },
  ): Promise<void>;
  /**
   * Makes an examined foreign run this installation's own: from here on what is appended is sealed, with this plan and these entries in place of
   * those that were found.
   */
  adopt(run: { plan: Plan; entries: Entry[] }): void;
  /** Why the state folder's copy is out of date; null if it is not. The run goes on: what the copy has still holds. */
  uncopied(): Error | null;
};

/**
 * Writes the run's ConfigMap with state `running`; `already-exists` if the id is taken. Parts of a large plan are written first, so that a run that
 * can be seen can also be read; a process that ends in between leaves parts that nobody reads. Rejects with a PlanError, before anything is written,
 * for a plan that could not be read again.
 */
export async function createJournal(
  kube: Kube,
  namespace: string,
  { journal: begun, plan }: { journal: Journal; plan: Plan },
  memory: RunMemory,
): Promise<OpenJournal> {
  // A run whose plan cannot be read again could be neither carried on nor undone.
  parsePlan(JSON.parse(planText(plan)));
  const journal = { ...begun, seal: sealOf(memory.sealer, begun, digestOfPlan(plan)) };
  // Without the copy, this machine could not tell the run from a forged one later.
  await memory.keep({ plan, journal });
  const created = await createObject(kube, namespace, { journal, plan });
  return openFrom({ kube, namespace, object: created, memory, provenance: { kind: 'own' } }, journal, plan);
}

/** If a ConfigMap of that name has this very journal, an earlier attempt created it: its parts are completed and it is used. */
async function createObject(kube: Kube, namespace: string, { journal, plan }: RunCopy): Promise<KubeObject> {
  const ref = journalRef(journal.run, namespace);
  const { inline, parts } = await packedPlan(kube, namespace, ref.name, plan);
  const text = JSON.stringify(journal);
  const created = await kube
    .create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: ref.name,
        namespace,
        labels: { [names.managedByLabel]: names.fieldManager, [names.runLabel]: journal.run },
      },
      data: { 'journal.json': text, ...(parts.length > 0 ? { parts: JSON.stringify(parts) } : {}) },
      ...(inline === null ? {} : { binaryData: { 'plan.json.gz': inline } }),
    } satisfies ObjectToWrite<V1ConfigMap>)
    .catch(async (error: unknown) => {
      if (!isKubeError(error, 'already-exists')) throw error;
      const there = await kube.get(ref);
      if (there && textOf(there) === text) return there;
      throw error;
    });
  for (const part of parts) await ownPart(kube, namespace, created, part);
  return created;
}

/**
 * Reads a run from the cluster or, if it was deleted there, from this installation's own copy for this very cluster. Null if no run has that id.
 * Rejects with `protocol` if what is stored cannot be ours.
 */
export async function openJournal(
  kube: Kube,
  namespace: string,
  run: string,
  memory: RunMemory,
): Promise<OpenJournal | null> {
  // Read before the cluster: the holder writes to the cluster first, so the copy is never ahead.
  const copy = await memory.recall(run);
  const found = await readJournal(kube, namespace, run);
  if (!found) {
    if (!copy?.plan.clusterUid || !(await isOfCluster(kube, copy.plan))) return null;
    const provenance = provenanceOf(memory.sealer, copy, copy);
    if (provenance.kind === 'foreign') return null;
    return openFrom({ kube, namespace, object: null, memory, provenance }, copy.journal, copy.plan);
  }
  const { object, plan, journal } = found;
  const provenance = provenanceOf(memory.sealer, copy, { plan, journal });
  return openFrom({ kube, namespace, object, memory, provenance }, journal, plan);
}

/**
 * Whether a plan was made for this cluster: a journal that was copied from another one must not be carried out here. Rejects with a KubeError where
 * that cannot be read: a right that is missing makes it no other cluster.
 */
export async function isOfCluster(kube: Kube, plan: Plan): Promise<boolean> {
  return plan.clusterUid === null || (await readClusterUid(kube)) === plan.clusterUid;
}

/** Reads what is in the cluster, as evidence. Null if no run has that id. Rejects with `protocol` if it is no journal of this version. */
export async function readJournal(
  kube: Kube,
  namespace: string,
  run: string,
): Promise<{ object: KubeObject; plan: Plan; journal: Journal } | null> {
  const object = await kube.get(journalRef(run, namespace));
  if (!object) return null;
  const journal = journalOf(object);
  if (!journal)
    throw new KubeError(
      'protocol',
      `${namespace}/ConfigMap/${object.metadata.name} was written by another version of Signalbox and cannot be read by this one. Use that version to continue or undo the run. Delete that ConfigMap once the run is no longer needed.`,
    );
  const plan = await readPlan(kube, namespace, object);
  // Only the plan that was reviewed is carried out, not one that was changed in the cluster.
  if (planHash(plan) !== journal.planHash)
    throw new KubeError('protocol', `The plan of run ${run} was changed after the run began: it is not carried out.`);
  return { object, plan, journal };
}

/** `object`: null if the cluster no longer has it. */
type Opened = { kube: Kube; namespace: string; object: KubeObject | null; memory: RunMemory; provenance: Provenance };

function openFrom(opened: Opened, initial: Journal, found: Plan): OpenJournal {
  const { kube, namespace, memory, provenance } = opened;
  let { object } = opened;
  let plan = found;
  let planDigest = digestOfPlan(plan);
  let isOurs = provenance.kind === 'own';
  /** The plan to write, if the cluster has another one than is carried out. */
  let planToWrite: Plan | null = null;
  let journal = initial;
  let written = object ? textOf(object) : undefined;
  let resourceVersion = object?.metadata.resourceVersion ?? '';
  let uncopied: Error | null = null;
  const ref = journalRef(initial.run, namespace);

  /** Requests of other processes change annotations of the same object, so a conflict matters only if the journal differs. */
  async function write(next: Journal): Promise<void> {
    if (object === null) throw journalGone();
    const text = JSON.stringify(next);
    const fields = planToWrite === null ? null : await writtenPlan(kube, namespace, object, planToWrite);
    for (;;) {
      try {
        const result = await kube.patch(ref, {
          type: 'merge',
          body: { ...fields, data: { ...fields?.data, 'journal.json': text } },
          resourceVersion,
        });
        resourceVersion = result.metadata.resourceVersion ?? '';
        return taken(next, text);
      } catch (error) {
        if (!isKubeError(error, 'conflict', 'not-found')) throw error;
        const live = await kube.get(ref);
        if (!live) {
          object = null;
          throw journalGone();
        }
        resourceVersion = live.metadata.resourceVersion ?? '';
        const there = textOf(live);
        if (there === text) return taken(next, text);
        if (there !== written) throw new JournalTaken(`Another process has written the journal of run ${next.run}.`);
      }
    }
  }

  const journalGone = () => new JournalGone(`The journal of run ${journal.run} was deleted from the cluster.`);

  /** Writes the last journal again, word for word, with the same seal. An adopted plan that was not written yet follows with the next write. */
  async function restore(): Promise<void> {
    try {
      object = await createObject(kube, namespace, { journal, plan });
    } catch (error) {
      if (!isKubeError(error, 'already-exists')) throw error;
      throw new JournalTaken(`The journal of run ${journal.run} was deleted, and another one was put in its place.`);
    }
    written = textOf(object);
    resourceVersion = object.metadata.resourceVersion ?? '';
  }

  async function taken(next: Journal, text: string): Promise<void> {
    written = text;
    journal = next;
    planToWrite = null;
    if (!isOurs) return;
    // The cluster has it, so the run goes on. A copy that is behind still detects a journal older than itself.
    uncopied = await memory.keep({ plan, journal }).then(
      () => null,
      (error: Error) => error,
    );
  }

  const sealed = ({ seal: _earlier, ...next }: Journal): Journal =>
    isOurs ? { ...next, seal: sealOf(memory.sealer, next, planDigest) } : next;

  return {
    get plan() {
      return plan;
    },
    provenance,
    current: () => journal,
    isInCluster: () => object !== null,
    restore,
    append: (entries, change = {}) =>
      write(sealed(withRoom({ ...journal, ...change, entries: [...journal.entries, ...entries] }))),
    adopt: ({ plan: adopted, entries }) => {
      const digest = digestOfPlan(adopted);
      if (digest !== planDigest) planToWrite = adopted;
      // Acceptances are stored by step number, which means another step in this plan.
      journal = { ...journal, planHash: planHash(adopted), entries, accepted: [] };
      plan = adopted;
      planDigest = digest;
      isOurs = true;
    },
    uncopied: () => uncopied,
  };
}
