import { mirroredObjects } from '#lib/installation/index.ts';
import { manifestText } from '#lib/release/index.ts';
import type { ImageNaming, Manifest, ManifestObject } from '#lib/spec/index.ts';
import { isPlain } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { isRenaming, namingFromFlags } from './naming.ts';
import { openFiles } from './open-files.ts';

/** Files in the order in which they are applied. */
const order = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml', 'ocp'];

/**
 * Prints the manifests of a release as YAML: as published, or with images in another registry: the operator's in its Deployment, all others by fields of the
 * Installation.
 */
export async function renderRelease(invocation: Invocation, version: string): Promise<number> {
  const { flags, terminal, env } = invocation;
  const format = formatOf(flags, ['yaml', 'json', 'table'] as const);
  const naming = namingFromFlags(flags);
  const secrets = flags.list('pull-secret');
  const { manifests } = await openFiles(invocation, version);
  const only = flags.text('file');
  const chosen = Object.values(manifests)
    .filter(({ file }) => (only === undefined ? order.includes(file) : file === only))
    .sort((left, right) => order.indexOf(left.file) - order.indexOf(right.file));
  if (chosen.length === 0)
    throw usageError(
      `--file: ${JSON.stringify(only)} is not a file of this release, which has ${Object.keys(manifests).join(', ')}`,
    );
  const isChanged = isRenaming(naming) || secrets.length > 0;
  if (format === 'json') {
    const items = chosen.flatMap(({ objects }) => objectsAs(objects, naming, secrets));
    writeData(terminal, format, { apiVersion: 'v1', kind: 'List', items });
    return exit.fine;
  }
  for (const manifest of chosen) {
    const text = `---
${await textOf(manifest, isChanged, naming, secrets, env)}`.trimEnd();
    terminal.out(text);
  }
  return exit.fine;
}

async function textOf(
  manifest: Manifest,
  isChanged: boolean,
  naming: ImageNaming,
  secrets: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const published = isChanged ? null : await manifestText(manifest, env);
  // As published, unless it has characters that control a terminal; then the same objects, serialized again.
  if (published !== null && isPlain(published.replaceAll('\r\n', '\n'))) return published;
  return objectsAs(manifest.objects, naming, secrets)
    .map((object) => yamlText(object))
    .join('---\n');
}

function objectsAs(objects: readonly ManifestObject[], naming: ImageNaming, secrets: readonly string[]) {
  return mirroredObjects(objects, naming, secrets).map((object) => withNaming(object, naming, secrets));
}

/** The Installation sets the names for everything that the operator creates (calico.md §2.1). */
function withNaming(object: ManifestObject, naming: ImageNaming, secrets: readonly string[]): ManifestObject {
  if (object.kind !== 'Installation' || !object.apiVersion.startsWith('operator.tigera.io/')) return object;
  const fields = Object.fromEntries(Object.entries(naming).filter(([, value]) => value !== undefined && value !== ''));
  const pulling = secrets.length === 0 ? {} : { imagePullSecrets: secrets.map((name) => ({ name })) };
  const spec = typeof object.spec === 'object' && object.spec !== null ? object.spec : {};
  return { ...object, spec: { ...spec, ...fields, ...pulling } };
}
