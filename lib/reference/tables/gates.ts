import { calicoReleases, type Gate, gates, type VersionRange } from '#lib/spec/index.ts';
import { type GateLetter, gateMatrix } from '../gate-matrix.ts';
import type { ReferenceTable } from '../reference-table.ts';

export const gateLetters: Readonly<Record<GateLetter, string>> = {
  T: 'it is so of this release',
  K: 'of this release on some kernels or Kubernetes versions',
  C: 'when an upgrade that begins before the gate ends at this release',
  F: 'when an upgrade begins at this release',
  '?': 'the numbers do not decide',
};

const states = {
  block: 'bad',
  hop: 'warn',
  change: 'warn',
  review: 'warn',
  prefer: 'idle',
  absent: 'idle',
  note: 'idle',
} as const;

export type GatesByRelease = {
  readonly gates: readonly (Pick<Gate, 'id' | 'action' | 'condition'> & { readonly state: 'bad' | 'warn' | 'idle' })[];
  readonly rows: ReturnType<typeof gateMatrix>;
  readonly letters: Readonly<Record<GateLetter, string>>;
  readonly textOnly: readonly string[];
};

/** Every known release against every gate that releases tell of; `textOnly` are the others. */
export function gatesByRelease(): GatesByRelease {
  const isText = ({ fromRelease, toRelease, crosses }: Gate) => !fromRelease && !toRelease && crosses === undefined;
  return {
    gates: gates.map(({ id, action, condition }) => ({ id, action, condition, state: states[action] })),
    rows: gateMatrix(
      gates,
      calicoReleases.map(({ version }) => version),
    ),
    letters: gateLetters,
    textOnly: gates.filter(isText).map(({ id }) => id),
  };
}

export function gateTable(): ReferenceTable {
  return {
    kind: 'records',
    title: 'Gates',
    intro: '',
    records: gates.map(({ id, checks, action, condition, advice, source, read, ...when }) => ({
      id,
      title: `${id}: ${action}`,
      state: states[action],
      facts: [
        { label: 'When', text: condition },
        { label: null, text: advice },
        ...ranges('From', when.fromRelease),
        ...ranges('To, or running', when.toRelease),
        ...(when.crosses === undefined ? [] : [{ label: 'Crossing', text: when.crosses }]),
        ...ranges('Kernel', when.kernel),
        ...ranges('Kubernetes', when.kubernetes),
        { label: 'Reported by', text: checks.map((check) => `\`${check}\``).join(', ') },
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
