import { calicoReleases, gates, type VersionRange } from '#lib/spec/index.ts';
import { gateMatrix } from './gate-matrix.ts';
import { blocks, bullets, sourceLine, table } from './markdown.ts';

export function gatesPage(): string {
  return blocks(
    'A version or a kernel at which something is known to go wrong, or before which something does not exist. All that a row says must hold.',
    '## Gates and releases',
    'T: it is so of this release. K: of this release on some kernels or Kubernetes versions. C: when an upgrade that begins before the gate ends at this release. F: when an upgrade begins at this release. Empty: nothing is known, which is not a promise.',
    matrix(),
    `${textOnly()} stand in no column: releases alone do not tell.`,
    ...gates.map((gate) =>
      blocks(
        `## ${gate.id}: ${gate.action}`,
        gate.condition,
        bullets([
          gate.advice,
          ...ranges('From', gate.fromRelease),
          ...ranges('To, or running', gate.toRelease),
          ...(gate.crosses === undefined ? [] : [`Crossing: ${gate.crosses}`]),
          ...ranges('Kernel', gate.kernel),
          ...ranges('Kubernetes', gate.kubernetes),
          sourceLine(gate),
        ]),
      ),
    ),
  );
}

function matrix(): string {
  const rows = gateMatrix(
    gates,
    calicoReleases.map(({ version }) => version),
  );
  return table(
    ['Release', ...gates.map(({ id }) => id)],
    rows.map(({ release, cells }) => [release, ...cells.map((letters) => letters.join(' '))]),
  );
}

function textOnly(): string {
  return gates
    .filter(({ fromRelease, toRelease, crosses }) => !fromRelease && !toRelease && crosses === undefined)
    .map(({ id }) => id)
    .join(', ');
}

function ranges(title: string, given: readonly VersionRange[] | undefined): readonly string[] {
  return given === undefined ? [] : [`${title}: ${given.map(rangeText).join('; ')}`];
}

export function rangeText({ from, before }: VersionRange): string {
  return [from === undefined ? '' : `from ${from}`, before === undefined ? '' : `before ${before}`]
    .filter((part) => part !== '')
    .join(', ');
}
