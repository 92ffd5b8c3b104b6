import { unsupportedFeatures } from '#lib/spec/index.ts';
import { code } from '../markdown.ts';
import type { ReferenceTable } from '../reference-table.ts';

export function featureTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'What eBPF mode does not do',
    intro: 'What eBPF mode does not do. Operator and agent accept all of it; the checks look for it.',
    columns: ['Feature', 'Not supported', 'Check', 'Note'],
    rows: unsupportedFeatures.map(({ title, since, until, check, note, source, read }) => ({
      id: title,
      cells: [title, span(since, until), code(check), note],
      source,
      read,
    })),
  };
}

function span(since: string | null, until: string | null): string {
  const from = since === null ? 'never was' : `from ${since}`;
  return until === null ? `${from}, in no release yet` : `${from}, until ${until}`;
}
