import { z } from 'zod';
import type { Evidence, Facts, ReadObject } from '#lib/facts/index.ts';
import { cgroupFolderOf, names, objectId, resources } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';

export const felixId = objectId({ resource: resources.felixConfigurations, name: names.felixConfiguration });

const specSchema = z.object({ spec: z.record(z.string(), z.unknown()).catch({}) });

/** FelixConfiguration `default`; null if it does not exist or was not read. */
export function felixConfiguration(facts: Facts): ReadObject | null {
  return facts.resources.objects[felixId] ?? null;
}

/** A field of its spec; undefined if unset. */
export function felixField(facts: Facts, field: string): unknown {
  const parsed = specSchema.safeParse(felixConfiguration(facts) ?? {});
  return parsed.success ? parsed.data.spec[field] : undefined;
}

/** The folder where the agent mounts cgroup2: as set, otherwise Felix's default. */
export function cgroupFolder(facts: Facts): string {
  return cgroupFolderOf(felixField(facts, 'cgroupV2Path'));
}

/** A command that sets fields of a FelixConfiguration, through the API group that needs no API server of Calico; null removes a field. */
export function patchFelix(spec: Readonly<Record<string, unknown>>, name: string = names.felixConfiguration): string {
  const { plural, group } = resources.felixConfigurations;
  const patch = shellWord(JSON.stringify({ spec }));
  return `kubectl patch ${plural}.${group} ${shellWord(name)} --type merge -p ${patch}`;
}

/** A field of FelixConfiguration `default` as evidence; null if it is not set. */
export function felixEvidence(facts: Facts, field: string): Evidence {
  return { object: felixId, path: `spec.${field}`, value: felixField(facts, field) ?? null };
}
