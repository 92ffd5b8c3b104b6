import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Flow } from '#lib/flows/in-browser.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { FlowRow } from './flow-row.tsx';

/** Of the button that opens the row, as it is read out. */
function nameOf(differs: Partial<Omit<Flow, 'id'>>): string {
  const flow = { ...aFlow(differs), id: 'a' };
  const row = <FlowRow flow={flow} index={0} columns={[]} days="today" isOpen={false} onOpen={() => {}} />;
  const markup = renderToStaticMarkup(
    <table>
      <tbody>{row}</tbody>
    </table>,
  );
  return /<button.*<\/button>/.exec(markup)?.[0].replace(/<[^>]*>/g, '') ?? '';
}

test('flows between the same two ends are named apart: by port, protocol and by who told them', () => {
  const names = [
    nameOf({ port: 53, protocol: 'UDP', reporter: 'source' }),
    nameOf({ port: 53, protocol: 'TCP', reporter: 'source' }),
    nameOf({ port: 54, protocol: 'UDP', reporter: 'source' }),
    nameOf({ port: 53, protocol: 'UDP', reporter: 'destination' }),
  ];
  expect(new Set(names).size).toBe(4);
  expect(names[0]).toMatch(/, port 53 UDP, reported by the source’s node$/);
});
