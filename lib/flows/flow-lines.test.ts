import { expect, test } from 'vitest';
import { csvHeading, csvLine, flowLine } from './flow-lines.ts';
import { aFlowWithId, aHit } from './testing/a-flow.ts';

/** The cells of a line by their heading, parsed as RFC 4180. */
function cellsOf(line: string): Record<string, string> {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) =>
    quoted === undefined ? bare : quoted.replaceAll('""', '"'),
  );
  const names = csvHeading.split(',');
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}

test('a flow is one line of CSV, with a cell for each heading', () => {
  const flow = aFlowWithId();
  expect(cellsOf(csvLine(flow))).toMatchObject({
    start: '2027-01-15T08:00:00Z',
    end: '2027-01-15T08:00:15Z',
    verdict: 'allowed',
    from_namespace: 'shop',
    to_name: 'ledger-db-*',
    service: 'payments/ledger-db',
    protocol: 'TCP',
    port: '5432',
    connections: '2',
    packets: '15',
    bytes: '1500',
    id: flow.id,
  });
});

test.each(['=cmd|calc', '+1', '-1', '@SUM(A1)'])('%j from a cluster is no formula in a spreadsheet', (name) => {
  const { from } = aFlowWithId();
  expect(cellsOf(csvLine(aFlowWithId({ from: { ...from, name } }))).from_name).toBe(`'${name}`);
});

test('whatever names hold, a flow stays one line of CSV and of JSON', () => {
  const { from } = aFlowWithId();
  const name = 'a,"b"\r\nc\u2028d\u0007';
  const flow = aFlowWithId({ from: { ...from, name }, policies: { enforced: [aHit({ name })], pending: [] } });
  for (const line of [csvLine(flow), flowLine(flow)]) expect(line).not.toMatch(/[\r\n\u0007]/);
  expect(cellsOf(csvLine(flow)).from_name).toMatch(/^a,"b".*c.*d/);
  expect(JSON.parse(flowLine(flow)).from.name).toBe(name);
});
