import { unsupportedFeatures } from '#lib/spec/index.ts';
import { blocks, code, table } from './markdown.ts';

export function featuresPage(): string {
  return blocks(
    'What eBPF mode does not do. Operator and agent accept all of it; the checks look for it.',
    table(
      ['Feature', 'Not supported', 'Check', 'Note', 'Source', 'Read'],
      unsupportedFeatures.map(({ title, since, until, check, note, source, read }) => [
        title,
        span(since, until),
        code(check),
        note,
        source,
        read,
      ]),
    ),
  );
}

function span(since: string | null, until: string | null): string {
  const from = since === null ? 'never was' : `from ${since}`;
  return until === null ? `${from}, in no release yet` : `${from}, until ${until}`;
}
