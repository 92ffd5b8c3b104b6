import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ServicesWatched } from '#lib/run/model/index.ts';
import { ServicesPanel } from './services-panel.tsx';

type Node = ServicesWatched['nodes'][number];
type Kind = Node['kinds'][number];

/** Two stretches of a second, as one kind answered in them. */
function aNode(node: string, marks: string, kind: Partial<Kind> = {}): Node {
  const answering = {
    kind: 'api',
    tried: 40,
    late: 0,
    none: 0,
    answers: true,
    gaps: 0,
    longest: null,
    sumMs: 0,
  } as const;
  return { node, to: 2_000, kinds: [{ ...answering, openMs: 0, unmeasuredMs: 0, marks, ...kind }] };
}

function drawn(...nodes: Node[]): string {
  const watched = { from: 0, to: 2_000, intervalMs: 50, of: nodes.length, stretchMs: 1_000, missed: [], nodes };
  return renderToStaticMarkup(<ServicesPanel watched={watched} title="Services" />);
}

/** The markup of one node's line. */
function rowOf(markup: string, node: string): string {
  const [, row = ''] = markup.split(`title="${node}"`);
  return row.slice(0, row.search(/title="|<p\s/));
}

/** Each drawn mark of a node, by its height. */
function heightsOf(markup: string, node: string): string[] {
  return [...rowOf(markup, node).matchAll(/<rect[^>]* height="([\d.]+)"/g)].map(([, height = '']) => height);
}

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ');

test('each node has its line, and what answered, was late, was silent or was not measured differs without colour', () => {
  const gap = { gaps: 1, longest: { at: 0, ms: 900 }, sumMs: 900 };
  const markup = drawn(
    aNode('worker-1', '..'),
    aNode('worker-2', '.-'),
    aNode('worker-3', 'x.', gap),
    aNode('worker-4', '??', { answers: false }),
  );
  const [answered, silent] = [heightsOf(markup, 'worker-1')[0], heightsOf(markup, 'worker-3')[0]];
  const [late, unmeasured] = [heightsOf(markup, 'worker-2')[1], heightsOf(markup, 'worker-4')[0]];
  expect(heightsOf(markup, 'worker-1')).toEqual([answered, answered]);
  expect(heightsOf(markup, 'worker-2')).toEqual([answered, late]);
  expect(heightsOf(markup, 'worker-3')).toEqual([silent, answered]);
  expect(new Set([answered, late, silent, unmeasured]).size).toBe(4);
  expect(textOf(markup)).toMatch(/longest gap 0\.9 s.*ClusterIP on worker-3/);
  expect(textOf(rowOf(markup, 'worker-4'))).toMatch(/not measured/);
});

test('where nobody told anything, nothing is drawn as answered', () => {
  const markup = drawn({ node: 'worker-1', to: 0, kinds: [] });
  expect(textOf(markup)).toContain('nothing measured');
  expect(heightsOf(markup, 'worker-1')).toEqual([]);
  expect(textOf(rowOf(markup, 'worker-1'))).toContain('not measured');
});

test('of more nodes than have room the worst are shown, and how many there are besides is said', () => {
  const many = Array.from({ length: 30 }, (_, at) => aNode(`worker-${at}`, '..'));
  const slow = aNode('worker-30', '.x', { gaps: 1, longest: { at: 1_000, ms: 1_000 }, sumMs: 1_000 });
  const markup = drawn(...many, slow);
  expect(markup.match(/title="worker-\d+"/g)?.[0]).toBe('title="worker-30"');
  expect(textOf(markup)).toContain('The worst 12 of 31.');
});
