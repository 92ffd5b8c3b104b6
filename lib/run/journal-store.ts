import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { type Plan, parsePlan } from '#lib/plan/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { type Entry, type Journal, journalSchema, type RunState } from './journal.ts';

/**
 * Keeps a run's journal and plan in the cluster: one ConfigMap a run, `signalbox-run-<id>`, in kube-system. The plan is gzipped;
 * above 512 KiB it is split into ConfigMaps of its own, named by their content and owned by the run's, so that they go with it.
 * Only the Lease's holder writes. If anybody else wrote the journal meanwhile, a write is refused (`JournalTaken`): the run was taken over.
 */

const partBytes = 500 * 1024;
/** A plan of 5,000 nodes is far below this; more than this is not ours. */
const planBytesLimit = 32 * 1024 * 1024;

export class JournalTaken extends Error {
  override name = 'JournalTaken';
}

export type OpenJournal = {
  readonly plan: Plan;
  /** A copy of what is in the cluster as far as we know. */
  current(): Journal;
  /** Adds entries and, when given, a new state or acknowledgements; resolves when the cluster has them. */
  append(entries: Entry[], change?: { state?: RunState; acknowledged?: Record<string, string> }): Promise<void>;
};

export function journalRef(run: string, namespace: string): ObjectRef {
  return { resource: resources.configMaps, namespace, name: `signalbox-run-${run}` };
}

/** Writes the run's ConfigMap, state `running`. `already-exists` when the id is taken. */
export async function createJournal(kube: Kube, namespace: string, journal: Journal, plan: Plan): Promise<OpenJournal> {
  // In one turn: an instant sandbox's time must not run on meanwhile.
  const packed = gzipSync(JSON.stringify(plan));
  const parts = split(packed);
  const small = parts.length === 1;
  const name = journalRef(journal.run, namespace).name;
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
      ...(small ? {} : { parts: JSON.stringify(parts.map((part) => partName(name, part))) }),
    },
    ...(small ? { binaryData: { 'plan.json.gz': packed.toString('base64') } } : {}),
  });
  if (!small) for (const part of parts) await createPart(kube, namespace, created, part);
  return openFrom(kube, namespace, created, journal, plan);
}

async function createPart(kube: Kube, namespace: string, owner: KubeObject, part: Buffer): Promise<void> {
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: partName(owner.metadata.name ?? '', part),
      namespace,
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name ?? '', uid: owner.metadata.uid ?? '' },
      ],
    },
    binaryData: { part: part.toString('base64') },
  };
  try {
    await kube.create(resources.configMaps, object);
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}

/** Reads a run. Null when there is none of that id. Rejects with `protocol` when what is stored cannot be ours. */
export async function openJournal(kube: Kube, namespace: string, run: string): Promise<OpenJournal | null> {
  const object = await kube.get(journalRef(run, namespace));
  if (!object) return null;
  const journal = journalOf(object);
  if (!journal)
    throw new KubeError(
      'protocol',
      `${namespace}/ConfigMap/${object.metadata.name} is not a journal that this version of Signalbox can read.`,
    );
  return openFrom(kube, namespace, object, journal, await readPlan(kube, namespace, object));
}

/** The journal in a run's ConfigMap, or null when it does not parse. */
export function journalOf(object: KubeObject): Journal | null {
  const text = (object.data as Record<string, string> | undefined)?.['journal.json'];
  if (text === undefined) return null;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function readPlan(kube: Kube, namespace: string, object: KubeObject): Promise<Plan> {
  const inline = (object.binaryData as Record<string, string> | undefined)?.['plan.json.gz'];
  const chunks: Buffer[] = [];
  if (inline !== undefined) chunks.push(Buffer.from(inline, 'base64'));
  else {
    const listed = (object.data as Record<string, string> | undefined)?.parts ?? '[]';
    for (const name of JSON.parse(listed) as string[]) {
      const part = await kube.get({ resource: resources.configMaps, namespace, name });
      const data = (part?.binaryData as Record<string, string> | undefined)?.part;
      if (data === undefined)
        throw new KubeError('protocol', `A part of the plan of this run is missing: ${namespace}/ConfigMap/${name}.`);
      chunks.push(Buffer.from(data, 'base64'));
    }
  }
  const unpacked = gunzipSync(Buffer.concat(chunks), { maxOutputLength: planBytesLimit });
  return parsePlan(JSON.parse(unpacked.toString('utf8')));
}

function openFrom(kube: Kube, namespace: string, object: KubeObject, initial: Journal, plan: Plan): OpenJournal {
  let journal = initial;
  let written = JSON.stringify(initial);
  let resourceVersion = object.metadata.resourceVersion ?? '';
  const ref = journalRef(initial.run, namespace);

  /** Requests of other processes change the same object's annotations: a conflict is only serious when the journal itself differs. */
  async function write(next: Journal): Promise<void> {
    const text = JSON.stringify(next);
    for (;;) {
      try {
        const result = await kube.patch(ref, {
          type: 'merge',
          body: { data: { 'journal.json': text } },
          resourceVersion,
        });
        resourceVersion = result.metadata.resourceVersion ?? '';
        written = text;
        journal = next;
        return;
      } catch (error) {
        if (!isKubeError(error, 'conflict')) throw error;
        const live = await kube.get(ref);
        if (!live) throw new JournalTaken(`The journal of run ${next.run} was deleted.`);
        const found = (live.data as Record<string, string> | undefined)?.['journal.json'];
        resourceVersion = live.metadata.resourceVersion ?? '';
        if (found === text) {
          written = text;
          journal = next;
          return;
        }
        if (found !== written) throw new JournalTaken(`Another process has written the journal of run ${next.run}.`);
      }
    }
  }

  return {
    plan,
    current: () => journal,
    append: (entries, change = {}) => write({ ...journal, ...change, entries: [...journal.entries, ...entries] }),
  };
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
