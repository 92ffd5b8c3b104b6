/**
 * Kinds of sources of table rows. Every row has `source` and `read`; several sources are separated by `; `. A kind says how reliable a row is and where to verify
 * it.
 */
export type SourceKind = {
  readonly kind: string;
  readonly what: string;
  readonly pattern: RegExp;
};

export const sourceKinds: readonly SourceKind[] = [
  { kind: 'spec', what: 'the specification, by its heading', pattern: /^spec › \S/ },
  {
    kind: 'design',
    what: 'what the product promises, by document and heading',
    pattern: /^(?:checks|operations|product|architecture|cli)\.md › \S/,
  },
  {
    kind: 'reference',
    what: 'facts about Calico, Kubernetes and kernels that were read from sources, by document and section',
    pattern: /^(?:calico|pain|bpf|controlplane|ui)\.md (?:§\S|› \S|head\b)/,
  },
  {
    kind: 'release notes',
    what: 'notes of a Calico release',
    pattern: /^RN v3\.\d+\.\d+(?:, v3\.\d+\.\d+)*(?: \([\w.-]+\/[\w.-]+#\d+\))?$/,
  },
  {
    kind: 'thread',
    what: 'an issue, a pull request or a discussion, by repository and number',
    pattern: /^[\w.-]+\/[\w.-]+(?:#| discussion )\d+\b/,
  },
  {
    kind: 'file',
    what: 'a file of a public repository',
    pattern: /^[\w.-]+\/[\w.-]+ (?:commit [0-9a-f]{7,40}\b|[\w.-]+(?:\/[\w.-]+)*\b)/,
  },
  { kind: 'page', what: 'a page of the documentation of whoever makes it', pattern: /^https:\/\/[\w.-]+\/\S/ },
  { kind: 'standard', what: 'a standard of the IETF', pattern: /^RFC \d+(?: §[\d.]+)?$/ },
  { kind: 'manifest', what: 'a file of the Calico release itself', pattern: /^[\w-]+\.yaml of (?:the release|v3\.)/ },
  { kind: 'measured', what: 'seen in a run of the real thing', pattern: /^measured: \S/ },
  { kind: 'observed', what: 'what the objects of such clusters carry; no text says it', pattern: /^observed: \S/ },
];

/** The kinds of a source's parts, in order; null if one part has none. */
export function sourceKindsOf(source: string): readonly string[] | null {
  const kinds = source.split('; ').map((part) => sourceKinds.find(({ pattern }) => pattern.test(part))?.kind);
  return kinds.every((kind) => kind !== undefined) ? kinds : null;
}

/** What is wrong with a row's source or date; null: nothing. `today`, e.g. `2026-11-21`: the date must not be later. */
export function sourceFault(row: { source?: unknown; read?: unknown }, today: string): string | null {
  const { source, read } = row;
  if (typeof source !== 'string' || source === '') return 'it has no source';
  const stranger = source.split('; ').find((part) => sourceKindsOf(part) === null);
  if (stranger !== undefined) return `its source ${JSON.stringify(stranger)} is of no known kind`;
  if (typeof read !== 'string' || !isDate(read)) return 'it has no date on which its source was read';
  return read > today ? `its source was read on ${read}, which is yet to come` : null;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
