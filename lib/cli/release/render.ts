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

/** In the order in which they are applied. */
const order = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml', 'ocp'];

/**
 * The manifests of a release as YAML, to be read or kept: as published, or with every image in another registry, the operator's own and, by the
 * Installation's fields, all that it brings.
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
      `--file: ${JSON.stringify(only)} is no file of it; there are ${Object.keys(manifests).join(', ')}`,
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
  // As published, unless a screen would act upon what is in it: then the same objects, written anew.
  if (published !== null && isPlain(published.replaceAll('\r\n', '\n'))) return published;
  return objectsAs(manifest.objects, naming, secrets)
    .map((object) => yamlText(object))
    .join('---\n');
}

function objectsAs(objects: readonly ManifestObject[], naming: ImageNaming, secrets: readonly string[]) {
  return mirroredObjects(objects, naming, secrets).map((object) => withNaming(object, naming, secrets));
}

/** The Installation says it for all that the operator brings (calico.md §2.1). */
function withNaming(object: ManifestObject, naming: ImageNaming, secrets: readonly string[]): ManifestObject {
  if (object.kind !== 'Installation' || !object.apiVersion.startsWith('operator.tigera.io/')) return object;
  const fields = Object.fromEntries(Object.entries(naming).filter(([, value]) => value !== undefined && value !== ''));
  const pulling = secrets.length === 0 ? {} : { imagePullSecrets: secrets.map((name) => ({ name })) };
  const spec = typeof object.spec === 'object' && object.spec !== null ? object.spec : {};
  return { ...object, spec: { ...spec, ...fields, ...pulling } };
}
