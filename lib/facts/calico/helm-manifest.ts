import { parse } from 'yaml';
import { isRecord } from '#lib/base/records.ts';
import { names, resources } from '#lib/spec/index.ts';

/** The part of Calico that a Helm release holds. `operator` wins over `definitions`, since kinds are upgraded with the operator. */
export type HeldByRelease = 'definitions' | 'operator';

const ofCalico = /\.(operator\.tigera\.io|(crd\.)?projectcalico\.org)$/;
const { kind: definition } = resources.customResourceDefinitions;
const { kind: deployment } = resources.deployments;

/**
 * The part of Calico in a recorded manifest, whatever the chart's name is; undefined: none, or the manifest is no YAML. Kinds of a chart's folder `crds/`
 * are not in the manifest: Helm installs them once and never updates them.
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
 * Objects of a manifest as Helm records it: YAML documents, some of which may be Lists. Only documents whose text `matters` are parsed, one at a time.
 * Throws if one of these is no YAML.
 */
export function* objectsOfManifest(
  manifest: string,
  matters: (text: string) => boolean,
): Generator<Record<string, unknown>> {
  for (const text of manifest.split(/^---(?=\s|$)/m))
    if (matters(text)) yield* objectsIn(parse(text, { uniqueKeys: false, logLevel: 'error' }));
}

/** The name of an object in a manifest; undefined: it has none. */
export function nameOf({ metadata }: Record<string, unknown>): string | undefined {
  return isRecord(metadata) && typeof metadata.name === 'string' ? metadata.name : undefined;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (!isRecord(value)) return [];
  return Array.isArray(value.items) ? value.items.flatMap(objectsIn) : [value];
}
