import { imagePartsOf, installationSpec } from '#lib/installation/index.ts';
import { releaseVersion } from '#lib/release/index.ts';
import { type ImagePart, inRange, type ManifestObject, planImages, variantOf } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, wrap } from '../terminal/terminal.ts';
import { isRenaming, namingFromFlags } from './naming.ts';
import { openFiles } from './open-files.ts';

/**
 * Prints the images that an installation pulls, with their names in a mirror. Connects to nothing unless a source is named; then its custom resources decide
 * which components run, and its manifest decides the operator.
 */
export async function imagesOfRelease(invocation: Invocation, text: string): Promise<number> {
  const { flags, terminal } = invocation;
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const version = releaseVersion(text);
  const naming = namingFromFlags(flags);
  const manifest = flags.text('manifest');
  const opened = flags.text('source') === undefined ? null : await openFiles(invocation, version);
  const customs = Object.values(opened?.manifests ?? {}).flatMap(({ objects }) => objects);
  const parts = opened ? partsIn(customs) : usualParts(version, flags.has('openshift'));
  const variant = opened ? variantOf(opened) : undefined;
  const plan = planImages({ release: version, manifest, parts, operator: opened?.operator, naming, variant });
  if (format !== 'table') {
    writeData(terminal, format, {
      apiVersion: 'signalbox.dev/v1',
      kind: 'ReleaseImages',
      release: version,
      naming,
      ...plan,
    });
    return exit.fine;
  }
  const head = isRenaming(naming) ? ['IMAGE', 'PULLED AS', 'NEEDED BY'] : ['IMAGE', 'NEEDED BY'];
  const rows = plan.images.map(({ image, as, neededBy, certainty }) => {
    const note = certainty === 'read' ? neededBy : `${neededBy} (named by the pattern, not read)`;
    return isRenaming(naming) ? [image, as, note] : [image, note];
  });
  terminal.out(columns([head, ...rows], terminal.columns));
  if (plan.missing !== null) terminal.out(`\n${wrap(plan.missing, terminal.columns)}`);
  return exit.fine;
}

function partsIn(objects: readonly ManifestObject[]): readonly ImagePart[] {
  const own = objects.filter(({ apiVersion }) => apiVersion.startsWith('operator.tigera.io/'));
  const parsed = installationSpec.safeParse(own.find(({ kind }) => kind === 'Installation')?.spec ?? {});
  return imagePartsOf(
    parsed.success ? parsed.data : {},
    own.map(({ kind }) => kind),
  );
}

/** Components of a release's published custom resources (calico.md §1.2). */
function usualParts(version: string, isOpenshift: boolean): readonly ImagePart[] {
  const later = inRange(version, { from: 'v3.30.0' }) !== 'no';
  return imagePartsOf(isOpenshift ? { kubernetesProvider: 'OpenShift' } : {}, [
    'APIServer',
    ...(later ? ['Goldmane', 'Whisker'] : []),
  ]);
}
