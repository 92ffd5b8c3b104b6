import { parse } from 'yaml';
import { isRecord } from '#lib/base/records.ts';
import { names, resources } from '#lib/spec/index.ts';

/** What of Calico the manifest of a Helm release holds. The operator counts: where it is, its kinds are upgraded with it. */
export type HeldByRelease = 'definitions' | 'operator';

const ofCalico = /\.(operator\.tigera\.io|(crd\.)?projectcalico\.org)$/;
const { kind: definition } = resources.customResourceDefinitions;
const { kind: deployment } = resources.deployments;

/**
 * A chart of any name may bring the operator, or Calico's kinds alone: its record says which. Undefined: neither, or the manifest is no YAML.
 * A chart's folder `crds/` is no part of the manifest: Helm brings what lies there once, and never again.
 */
export function heldByManifest(manifest: string): HeldByRelease | undefined {
  const operator = names.operatorDeployment;
  try {
    if (holds(manifest, deployment, /tigera-operator/, (name) => name === operator)) return 'operator';
    return holds(manifest, definition, /tigera|calico/, (name) => ofCalico.test(name)) ? 'definitions' : undefined;
  } catch {
    return undefined;
  }
}

function holds(manifest: string, kind: string, about: RegExp, isIt: (name: string) => boolean): boolean {
  for (const object of objectsOfManifest(manifest, (text) => text.includes(kind) && about.test(text)))
    if (object.kind === kind && isIt(nameOf(object) ?? '')) return true;
  return false;
}

/**
 * Objects of a manifest as Helm writes it: documents of YAML, of which one may be a List. Parsed are only those whose text `matters`, one after the
 * other, as they are asked for. Throws where one is no YAML.
 */
export function* objectsOfManifest(
  manifest: string,
  matters: (text: string) => boolean,
): Generator<Record<string, unknown>> {
  for (const text of manifest.split(/^---(?=\s|$)/m))
    if (matters(text)) yield* objectsIn(parse(text, { uniqueKeys: false, logLevel: 'error' }));
}

/** The name of an object in a manifest; undefined where it has none. */
export function nameOf({ metadata }: Record<string, unknown>): string | undefined {
  return isRecord(metadata) && typeof metadata.name === 'string' ? metadata.name : undefined;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (!isRecord(value)) return [];
  return Array.isArray(value.items) ? value.items.flatMap(objectsIn) : [value];
}
