import { expect, test } from 'vitest';
import { changesAsMarkdown } from './changes-as-markdown.ts';

const times = { before: { since: 0, until: 3600 }, since: { since: 3600, until: 4200 } };
const changes = { ...times, secondsBefore: 3600, secondsSince: 600, isCut: false, talked: 12, untold: 0 };

test('who is denied or silent since is a table, and hostile names are text in it', () => {
  const pair = {
    state: 'denied' as const,
    from: 'shop/<b>x</b>|y',
    to: 'payments/ledger-db',
    protocol: 'TCP',
    port: 5432,
    connections: 9,
    seen: 3600,
    why: 'Denied at the destination.',
    query: '',
  };
  const text = changesAsMarkdown({ ...changes, pairs: [pair] });
  expect(text).toContain(
    '1 of 12 pairs that talked in the 1 h before the run is denied or silent since. Observed for 10 m since the run.',
  );
  expect(text).toMatch(/^\| denied \| .* \| payments\/ledger-db \| 5432 TCP \| 1970-01-01T01:00:00Z \| Denied at/m);
  expect(text).not.toMatch(/<b>|x\|y/);
});

test('where nobody is, that is said', () => {
  expect(changesAsMarkdown({ ...changes, pairs: [], untold: 2 })).toContain(
    'None of 12 pairs that talked in the 1 h before the run is denied or silent since.',
  );
});
