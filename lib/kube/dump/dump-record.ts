import { z } from 'zod';
import { missingRuleSchema } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import { InputError } from './input-error.ts';

/** The file in which `signalbox dump` records what it read, what was refused and what it left out. */
export const recordFile = 'signalbox-dump.json';

/**
 * `complete`: every object of the kind. `not-served`: the cluster has no such kind. `partial`: some of its objects, by name or until the list broke
 * off. `refused`: none. `because` and `rule` (of a 403) say why it is not complete; `absent` are the objects, as `NAMESPACE/NAME` or `NAME`, that
 * were asked for by name and are not there; in `namespaces` all was read.
 */
const recordedKind = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  resource: z.string(),
  file: z.string().nullable(),
  objects: z.number(),
  state: z.enum(['complete', 'not-served', 'partial', 'refused']),
  because: z.string().optional(),
  rule: missingRuleSchema.optional(),
  absent: z.array(z.string()).optional(),
  namespaces: z.array(z.string()).optional(),
});
export type RecordedKind = z.infer<typeof recordedKind>;

/** Something that is in no dump, and the reason. */
const leftOut = z.object({ what: z.string(), because: z.string() });

const dumpRecordSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Dump'),
  metadata: z.object({ name: z.string(), creationTimestamp: z.string() }),
  signalboxVersion: z.string(),
  kubernetesVersion: z.string().nullable(),
  /** `host:port` of the kubeconfig, which is suggested as endpoint on hosted services. */
  server: z.string().nullable(),
  /** API groups that are served, `''` for the core group, with those that did not answer; null: unknown. */
  apis: z
    .object({
      groups: z.array(z.string()),
      failing: z.array(z.object({ groupVersion: z.string(), because: z.string() })),
    })
    .nullable(),
  redacted: z.boolean(),
  complete: z.boolean(),
  kinds: z.array(recordedKind),
  leftOut: z.array(leftOut),
});
export type DumpRecord = z.infer<typeof dumpRecordSchema>;

/** The record in an object; null: it is none. Throws an InputError for a record that cannot be used. */
export function recordOf(file: string, line: number, object: KubeObject): DumpRecord | null {
  if (object.kind !== 'Dump' || !object.apiVersion.startsWith('signalbox.dev/')) return null;
  const parsed = dumpRecordSchema.safeParse(object);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new InputError(
    file,
    line,
    `it is not a record of a dump that this version reads: ${problem?.path.join('.') || 'it'} is ${problem?.message ?? 'wrong'}`,
  );
}
