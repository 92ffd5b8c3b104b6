import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { type Journal, journalSchema } from './journal.ts';

const runName = /^[a-z0-9][a-z0-9-]{0,60}$/;

/** Whether a run can have this name. It comes from a cluster, a URL or a flag, and becomes part of the names of files and objects. */
export function isRunName(text: string): boolean {
  return runName.test(text);
}

/** The ConfigMap `signalbox-run-RUN`. `run` must satisfy `isRunName` if it comes from outside. */
export function journalRef(run: string, namespace: string): ObjectRef {
  return { resource: resources.configMaps, namespace, name: `signalbox-run-${run}` };
}

/** The journal in a run's ConfigMap; null if it does not parse. */
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

/** The few fields that journals of all versions have; null if there are none. */
export function looselyRead(object: KubeObject): z.infer<typeof anyVersion> | null {
  try {
    return anyVersion.parse(JSON.parse(textOf(object) ?? ''));
  } catch {
    return null;
  }
}

/** The journal in a run's ConfigMap as text; undefined if there is none. */
export function textOf(object: KubeObject): string | undefined {
  return (object.data as Record<string, string> | undefined)?.['journal.json'];
}
