import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { z } from 'zod';
import { isObjectName } from '#lib/base/object-names.ts';
import {
  binaryDataOf,
  dataOf,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type ObjectToWrite,
} from '#lib/kube/index.ts';
import { type Plan, PlanError } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { planBytesLimit, unpackedPlan } from '../memory/packed-plan.ts';

/**
 * How a run's object stores its plan: gzipped and, above 200 KiB, split into separate ConfigMaps, which are named by their content and owned by the
 * run's, so that they are deleted with it.
 */

const partBytes = 500 * 1024;
/** Above this size the plan gets objects of its own: the journal beside it grows, and an object is limited to 1 MiB. */
const inlineBytes = 200 * 1024;

/** The plan as text for storage. Throws PlanError for one that could not be read again. */
export function planText(plan: Plan): string {
  const text = JSON.stringify(plan);
  const bytes = Buffer.byteLength(text);
  if (bytes <= planBytesLimit) return text;
  const mebibytes = (size: number) => Math.ceil(size / 1024 / 1024);
  throw new PlanError(
    'too-large',
    `The plan has ${mebibytes(bytes)} MiB, and at most ${mebibytes(planBytesLimit)} MiB can be stored. Nothing was started. Thousands of owner references make a plan as large: note some of them, remove them, and rebuild the plan.`,
  );
}

/** The plan for the run's object: as base64, or as the names of the objects that contain it. */
export async function packedPlan(kube: Kube, namespace: string, run: string, plan: Plan) {
  const packed = gzipSync(planText(plan));
  if (packed.length <= inlineBytes) return { inline: packed.toString('base64'), parts: [] };
  const parts = split(packed);
  for (const part of parts) await createPart(kube, namespace, run, part);
  return { inline: null, parts: parts.map((part) => partName(run, part)) };
}

/** Replaces the plan, as fields of a merge patch. */
export async function writtenPlan(kube: Kube, namespace: string, run: KubeObject, plan: Plan) {
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
        labels: { [names.managedByLabel]: names.fieldManager },
      },
      binaryData: { part: part.toString('base64') },
    } satisfies ObjectToWrite<V1ConfigMap>);
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}

/** Makes the part a dependant of the run. */
export async function ownPart(kube: Kube, namespace: string, run: KubeObject, name: string): Promise<void> {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: run.metadata.name ?? '', uid: run.metadata.uid ?? '' };
  await kube.patch(
    { resource: resources.configMaps, namespace, name },
    { type: 'merge', body: { metadata: { ownerReferences: [owner] } } },
  );
}

/** The plan of a run's ConfigMap. Rejects with `protocol` if it cannot be read or a part of it is missing, else with the KubeError of the reading. */
export async function readPlan(kube: Kube, namespace: string, object: KubeObject): Promise<Plan> {
  const inline = binaryDataOf(object)['plan.json.gz'];
  const packed = inline === undefined ? await readParts(kube, namespace, object) : Buffer.from(inline, 'base64');
  try {
    return unpackedPlan(packed);
  } catch (error) {
    throw new KubeError(
      'protocol',
      `The plan in ${namespace}/ConfigMap/${object.metadata.name} cannot be read${error instanceof PlanError ? `: ${error.message}` : '.'} If this installation carried out the run, delete that ConfigMap: \`signalbox undo\` and \`signalbox resume\`, with the name of the run, then use the copy in the state folder.`,
      {},
      error,
    );
  }
}

async function readParts(kube: Kube, namespace: string, object: KubeObject): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (const name of partsOf(namespace, object)) {
    const part = await kube.get({ resource: resources.configMaps, namespace, name });
    const data = binaryDataOf(part).part;
    if (data === undefined)
      throw new KubeError('protocol', `A part of the plan of this run is missing: ${namespace}/ConfigMap/${name}.`);
    chunks.push(Buffer.from(data, 'base64'));
  }
  return Buffer.concat(chunks);
}

/** Whoever may write in the namespace decides what stands there: a list of thousands of parts, or of one part a thousand times, would fill the memory. */
function partsOf(namespace: string, object: KubeObject): string[] {
  const listed = partsSchema.safeParse(jsonOf(dataOf(object).parts ?? '[]'));
  if (listed.success) return listed.data;
  throw new KubeError(
    'protocol',
    `${namespace}/ConfigMap/${object.metadata.name} lists no parts of a plan as Signalbox writes them.`,
  );
}

const mostParts = Math.ceil(planBytesLimit / partBytes) + 1;
const partsSchema = z
  .array(z.string().refine(isObjectName))
  .max(mostParts)
  .refine((parts) => new Set(parts).size === parts.length);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
