import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { type Accepted, type Entry, type Journal, journalSchema, type RunState } from './journal.ts';
import { type Provenance, provenanceOf } from './memory/provenance.ts';
import type { RunMemory } from './memory/run-memory.ts';
import { digestOfPlan, sealOf } from './memory/seal.ts';

/**
 * Keeps a run's journal and plan in the cluster: one ConfigMap a run, `signalbox-run-<id>`. The plan is gzipped;
 * above 200 KiB it is split into ConfigMaps of its own, named by their content and owned by the run's, so that they go with it.
 * Only the Lease's holder writes. If anybody else wrote the journal meanwhile, a write is refused (`JournalTaken`): the run was taken over.
 */

const partBytes = 500 * 1024;
/** Above this the plan has objects of its own: the journal beside it grows, and an object holds 1 MiB. */
const inlineBytes = 200 * 1024;
/** A plan of 5,000 nodes is far below this; more than this is not ours. */
const planBytesLimit = 32 * 1024 * 1024;

export class JournalTaken extends Error {
  override name = 'JournalTaken';
}

export type OpenJournal = {
  readonly plan: Plan;
  /** Whose word it was when it was read. */
  readonly provenance: Provenance;
  /** A copy of what is in the cluster as far as we know. */
  current(): Journal;
  /** Adds entries and, when given, a new state or accepted doubts; resolves when the cluster has them. */
  append(entries: Entry[], change?: { state?: RunState; accepted?: Accepted[] }): Promise<void>;
  /**
   * Makes a foreign run, which somebody looked through, this installation's own: what is appended from here on is sealed, with
   * this plan and past in the place of what was found.
   */
  adopt(run: { plan: Plan; entries: Entry[] }): void;
  /** Why the state folder has no copy of the last word, or null. The run goes on: its copy is behind, and what is there still holds. */
  uncopied(): Error | null;
};

export function journalRef(run: string, namespace: string): ObjectRef {
  return { resource: resources.configMaps, namespace, name: `signalbox-run-${run}` };
}

/**
 * Writes the run's ConfigMap, state `running`. `already-exists` when the id is taken. Parts of a large plan come first: a run that can be seen can
 * also be read. A process that dies in between leaves parts without a run, which nobody reads.
 */
export async function createJournal(
  kube: Kube,
  namespace: string,
  { journal: begun, plan }: { journal: Journal; plan: Plan },
  memory: RunMemory,
): Promise<OpenJournal> {
  const journal = { ...begun, seal: sealOf(memory.sealer, begun, digestOfPlan(plan)) };
  // A run that this machine could not tell from a forged one tomorrow is not begun.
  await memory.keep({ plan, journal });
  const { name } = journalRef(journal.run, namespace);
  const { inline, parts } = await packedPlan(kube, namespace, name, plan);
  const created = await kube.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': names.fieldManager, [names.runLabel]: journal.run },
    },
    data: {
      'journal.json': JSON.stringify(journal),
      ...(parts.length > 0 ? { parts: JSON.stringify(parts) } : {}),
    },
    ...(inline === null ? {} : { binaryData: { 'plan.json.gz': inline } }),
  });
  for (const part of parts) await ownPart(kube, namespace, created, part);
  return openFrom({ kube, namespace, object: created, memory, provenance: { kind: 'own' } }, journal, plan);
}

/** The plan as the run's object holds it: in base64, or the names of the objects of its own that it was put into. */
async function packedPlan(kube: Kube, namespace: string, run: string, plan: Plan) {
  const packed = gzipSync(JSON.stringify(plan));
  if (packed.length <= inlineBytes) return { inline: packed.toString('base64'), parts: [] };
  const parts = split(packed);
  for (const part of parts) await createPart(kube, namespace, run, part);
  return { inline: null, parts: parts.map((part) => partName(run, part)) };
}

/** A plan in the place of the one that is there, as fields of a merge patch. */
async function writtenPlan(kube: Kube, namespace: string, run: KubeObject, plan: Plan) {
  const { inline, parts } = await packedPlan(kube, namespace, run.metadata.name ?? '', plan);
  for (const part of parts) await ownPart(kube, namespace, run, part);
  return {
    data: { parts: parts.length > 0 ? JSON.stringify(parts) : null },
    binaryData: { 'plan.json.gz': inline },
  };
}

async function createPart(kube: Kube, namespace: string, run: string, part: Buffer): Promise<void> {
  try {
    await kube.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: partName(run, part),
        namespace,
        labels: { 'app.kubernetes.io/managed-by': names.fieldManager },
      },
      binaryData: { part: part.toString('base64') },
    });
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}

/** From now on the part goes with the run. */
async function ownPart(kube: Kube, namespace: string, run: KubeObject, name: string): Promise<void> {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: run.metadata.name ?? '', uid: run.metadata.uid ?? '' };
  await kube.patch(
    { resource: resources.configMaps, namespace, name },
    { type: 'merge', body: { metadata: { ownerReferences: [owner] } } },
  );
}

/** Reads a run. Null when there is none of that id. Rejects with `protocol` when what is stored cannot be ours. */
export async function openJournal(
  kube: Kube,
  namespace: string,
  run: string,
  memory: RunMemory,
): Promise<OpenJournal | null> {
  // Before the cluster is asked: its holder writes there first.
  const kept = await memory.recall(run);
  const found = await readJournal(kube, namespace, run);
  if (!found) return null;
  const { object, plan, journal } = found;
  const provenance = provenanceOf(memory.sealer, kept, { plan, journal });
  return openFrom({ kube, namespace, object, memory, provenance }, journal, plan);
}

/** What lies in the cluster, as evidence. Null when there is none of that id. Rejects with `protocol` when it cannot be a journal of this version. */
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
      `${namespace}/ConfigMap/${object.metadata.name} was written by another version of Signalbox and cannot be read by this one. Use that version to carry the run on or take it back; once nothing of it is needed any more, delete that ConfigMap.`,
    );
  const plan = await readPlan(kube, namespace, object);
  // What is carried out is what was reviewed: a plan that was changed in the cluster is not.
  if (planHash(plan) !== journal.planHash)
    throw new KubeError(
      'protocol',
      `The plan of run ${run} was changed after the run began: nothing of it is carried out.`,
    );
  return { object, plan, journal };
}

/** The journal in a run's ConfigMap, or null when it does not parse. */
export function journalOf(object: KubeObject): Journal | null {
  const text = textOf(object);
  if (text === undefined) return null;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const anyVersion = z.looseObject({
  goal: z.string().optional(),
  startedAt: z.string().optional(),
  startedBy: z.string().optional(),
  state: z.looseObject({ kind: z.string() }),
});

/** The little that a journal of any version says; null when it says nothing. */
export function looselyRead(object: KubeObject): z.infer<typeof anyVersion> | null {
  try {
    return anyVersion.parse(JSON.parse(textOf(object) ?? ''));
  } catch {
    return null;
  }
}

async function readPlan(kube: Kube, namespace: string, object: KubeObject): Promise<Plan> {
  const inline = (object.binaryData as Record<string, string> | undefined)?.['plan.json.gz'];
  const packed = inline === undefined ? await readParts(kube, namespace, object) : Buffer.from(inline, 'base64');
  try {
    return parsePlan(JSON.parse(gunzipSync(packed, { maxOutputLength: planBytesLimit }).toString('utf8')));
  } catch (error) {
    throw new KubeError(
      'protocol',
      `The plan in ${namespace}/ConfigMap/${object.metadata.name} cannot be read.`,
      {},
      error,
    );
  }
}

async function readParts(kube: Kube, namespace: string, object: KubeObject): Promise<Buffer> {
  const listed = (object.data as Record<string, string> | undefined)?.parts ?? '[]';
  const chunks: Buffer[] = [];
  for (const name of JSON.parse(listed) as string[]) {
    const part = await kube.get({ resource: resources.configMaps, namespace, name });
    const data = (part?.binaryData as Record<string, string> | undefined)?.part;
    if (data === undefined)
      throw new KubeError('protocol', `A part of the plan of this run is missing: ${namespace}/ConfigMap/${name}.`);
    chunks.push(Buffer.from(data, 'base64'));
  }
  return Buffer.concat(chunks);
}

type Opened = { kube: Kube; namespace: string; object: KubeObject; memory: RunMemory; provenance: Provenance };

function openFrom({ kube, namespace, object, memory, provenance }: Opened, initial: Journal, found: Plan): OpenJournal {
  let plan = found;
  let planDigest = digestOfPlan(plan);
  let isOurs = provenance.kind === 'own';
  /** The plan in the cluster is another than the one that is carried out. */
  let planToWrite: Plan | null = null;
  let journal = initial;
  let written = textOf(object);
  let resourceVersion = object.metadata.resourceVersion ?? '';
  let uncopied: Error | null = null;
  const ref = journalRef(initial.run, namespace);

  /** Requests of other processes change the same object's annotations: a conflict is only serious when the journal itself differs. */
  async function write(next: Journal): Promise<void> {
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
        if (!isKubeError(error, 'conflict')) throw error;
        const live = await kube.get(ref);
        if (!live) throw new JournalTaken(`The journal of run ${next.run} was deleted.`);
        resourceVersion = live.metadata.resourceVersion ?? '';
        const there = textOf(live);
        if (there === text) return taken(next, text);
        if (there !== written) throw new JournalTaken(`Another process has written the journal of run ${next.run}.`);
      }
    }
  }

  async function taken(next: Journal, text: string): Promise<void> {
    written = text;
    journal = next;
    planToWrite = null;
    if (!isOurs) return;
    // The cluster has it, so the run goes on: a copy that is behind still tells what was put back beyond it.
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
    append: (entries, change = {}) =>
      write(sealed({ ...journal, ...change, entries: [...journal.entries, ...entries] })),
    adopt: ({ plan: adopted, entries }) => {
      const digest = digestOfPlan(adopted);
      if (digest !== planDigest) planToWrite = adopted;
      // What was accepted for a step goes by its number, which means another step from here on.
      journal = { ...journal, planHash: planHash(adopted), entries, accepted: [] };
      plan = adopted;
      planDigest = digest;
      isOurs = true;
    },
    uncopied: () => uncopied,
  };
}

function textOf(object: KubeObject): string | undefined {
  return (object.data as Record<string, string> | undefined)?.['journal.json'];
}

function split(bytes: Buffer): Buffer[] {
  if (bytes.length <= partBytes) return [bytes];
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) parts.push(bytes.subarray(at, at + partBytes));
  return parts;
}

function partName(run: string, part: Buffer): string {
  return `${run}-${createHash('sha256').update(part).digest('hex').slice(0, 16)}`;
}
