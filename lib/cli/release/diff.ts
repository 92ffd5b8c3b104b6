import { imagePartsOf } from '#lib/installation/index.ts';
import { compareReleases } from '#lib/release/index.ts';
import { planImages, type ReleaseContents, variantOf } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { wrap } from '../terminal/terminal.ts';
import { openFiles } from './open-files.ts';

/** Prints how the files of two releases differ: objects, fields of definitions, images to mirror. */
export async function diffReleases(invocation: Invocation, from: string, to: string): Promise<number> {
  const { flags, terminal } = invocation;
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const before = await openFiles(invocation, from);
  const after = await openFiles(invocation, to);
  const objects = compareReleases(before, after);
  const [old, now] = [imagesOf(before), imagesOf(after)];
  const names = ({ images }: ReturnType<typeof imagesOf>) => new Set(images.map(({ image }) => image));
  const images = {
    added: [...names(now)].filter((image) => !names(old).has(image)),
    removed: [...names(old)].filter((image) => !names(now).has(image)),
    missing: [old.missing, now.missing].filter((text) => text !== null),
  };
  const operator = { from: before.operator, to: after.operator };
  if (format !== 'table') {
    const data = { from: before.version, to: after.version, operator, objects, images };
    writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'ReleaseDifference', ...data });
    return exit.fine;
  }
  terminal.out(`${before.version} (operator ${operator.from}) → ${after.version} (operator ${operator.to})`);
  const part = (title: string, lines: readonly string[]) => {
    if (lines.length > 0) terminal.out(`\n${title}\n${lines.map((line) => `  ${visibleLine(line)}`).join('\n')}`);
  };
  part('Objects that come', objects.added);
  part('Objects that go', objects.removed);
  part(
    'Objects that change',
    objects.changed.flatMap(({ object, fields }) => [
      object,
      ...fields.added.map((field) => `  + ${field}`),
      ...fields.removed.map((field) => `  - ${field}`),
    ]),
  );
  part('Images that come', images.added);
  part('Images that go', images.removed);
  for (const text of images.missing) terminal.out(`\n${wrap(text, terminal.columns)}`);
  return exit.fine;
}

function imagesOf(release: ReleaseContents) {
  const { version, operator, manifests } = release;
  const kinds = Object.values(manifests)
    .flatMap(({ objects }) => objects)
    .filter(({ apiVersion }) => apiVersion.startsWith('operator.tigera.io/'))
    .map(({ kind }) => kind);
  return planImages({ release: version, parts: imagePartsOf({}, kinds), operator, variant: variantOf(release) });
}
