import {
  calicoReleases,
  defaultRegistries,
  imageLists,
  imageUses,
  operatorTrains,
  testedWith,
  testedWithOf,
} from '#lib/spec/index.ts';
import { rangeText } from './gates-page.ts';
import { blocks, bullets, code, known, sourceLine, table } from './markdown.ts';

export function releasesPage(): string {
  return blocks(
    'Releases of Calico, the operator that installs each, and the Kubernetes versions it is tested with. What goes wrong in which: [gates](gates.md).',
    table(
      ['Release', 'Operator', 'Tested with Kubernetes', 'Source', 'Read'],
      calicoReleases.map(({ version, operator, installs, source, read }) => [
        version,
        known(operator, (text) => (installs === undefined ? text : `${text}, which installs ${installs}`)),
        kubernetes(version),
        source,
        read,
      ]),
    ),
    '## Operators',
    'Never by arithmetic: odd minors belong to another product.',
    table(
      ['Operator', 'Calico', 'Patches that are known', 'Source', 'Read'],
      operatorTrains.map(({ operator, calico, patches, source, read }) => [
        `v${operator}`,
        `v${calico}`,
        patches
          .map(({ from, to, calico: patch }) => `.${from === to ? from : `${from}–.${to}`} is v${patch}`)
          .join(', '),
        source,
        read,
      ]),
    ),
    '## Kubernetes',
    table(
      ['Calico', 'Kubernetes', 'Source', 'Read'],
      testedWith.map(({ calico, from, to, source, read }) => [calico, `${from} to ${to}`, source, read]),
    ),
    '## Default registries',
    table(
      ['What', 'Registry', 'Releases', 'Note', 'Source', 'Read'],
      defaultRegistries.map(({ what, registry, releases, note, source, read }) => [
        what,
        code(registry),
        rangeText(releases),
        note,
        source,
        read,
      ]),
    ),
    '## Images',
    'What is missing in a list says so. The operator itself tells all of its images with `--print-images=list`.',
    ...imageLists.map((list) =>
      blocks(
        `### ${list.release}, ${list.by}`,
        bullets(list.images.map(code)),
        known(list.missing, () => ''),
        sourceLine(list),
      ),
    ),
    '### What each image is for',
    table(
      ['Image', 'Needed by', 'Source', 'Read'],
      imageUses.map(({ image, neededBy, source, read }) => [code(image), neededBy, source, read]),
    ),
  );
}

function kubernetes(version: string): string {
  const row = testedWithOf(version);
  return row === null ? '*unknown*: the requirements page of its documentation' : `${row.from} to ${row.to}`;
}
