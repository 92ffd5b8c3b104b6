import { calicoReleases, gates, type VersionRange } from '#lib/spec/index.ts';
import { type GateLetter, gateMatrix } from '../gate-matrix.ts';
import type { ReferenceTable } from '../reference-table.ts';

export const gateLetters: Readonly<Record<GateLetter, string>> = {
  T: 'it is so of this release',
  K: 'of this release on some kernels or Kubernetes versions',
  C: 'when an upgrade that begins before the gate ends at this release',
  F: 'when an upgrade begins at this release',
  '?': 'the numbers do not decide',
};

/** Every known release against every gate that releases tell of; `textOnly` are the others. */
export function gatesByRelease() {
  const isText = ({ fromRelease, toRelease, crosses }: (typeof gates)[number]) =>
    !fromRelease && !toRelease && crosses === undefined;
  return {
    gates: gates.map(({ id, action, condition }) => ({ id, action, condition })),
    rows: gateMatrix(
      gates,
      calicoReleases.map(({ version }) => version),
    ),
    textOnly: gates.filter(isText).map(({ id }) => id),
  };
}

export function gateTable(): ReferenceTable {
  return {
    kind: 'records',
    title: 'Gates',
    intro: '',
    records: gates.map(({ id, action, condition, advice, source, read, ...when }) => ({
      id,
      title: `${id}: ${action}`,
      facts: [
        { label: 'When', text: condition },
        { label: null, text: advice },
        ...ranges('From', when.fromRelease),
        ...ranges('To, or running', when.toRelease),
        ...(when.crosses === undefined ? [] : [{ label: 'Crossing', text: when.crosses }]),
        ...ranges('Kernel', when.kernel),
        ...ranges('Kubernetes', when.kubernetes),
      ],
      commands: null,
      source,
      read,
    })),
  };
}

function ranges(label: string, given: readonly VersionRange[] | undefined) {
  return given === undefined ? [] : [{ label, text: given.map(rangeText).join('; ') }];
}

export function rangeText({ from, before }: VersionRange): string {
  return [from === undefined ? '' : `from ${from}`, before === undefined ? '' : `before ${before}`]
    .filter((part) => part !== '')
    .join(', ');
}
