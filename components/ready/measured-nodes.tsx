import type { ReactNode } from 'react';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { nodeTests } from '#lib/spec/index.ts';
import { type NodeResult, nodeOutcome } from './ready-words.ts';

type MeasuredNode = { node: NodeResult } & ReturnType<typeof nodeOutcome>;

/** With more nodes, only those that did not pass every test are drawn, and the others are counted. */
const mostNodes = 24;

const looks = {
  passed: 'h-1 bg-green',
  failed: '-mt-0.5 h-2 bg-red',
  'not-run': 'h-1 border border-edge bg-transparent',
} as const;

/** Each node with one bar for each test, in a fixed order. A failed test is a taller, red bar; a test that did not run is an outline. */
export function MeasuredNodes({
  measured,
  again = null,
}: {
  measured: Facts['measured'];
  /** The button that repeats the test. */
  again?: ReactNode;
}) {
  if (measured === null || measured.nodes.length === 0) return null;
  const nodes = measured.nodes.map((node): MeasuredNode => ({ node, ...nodeOutcome(node) }));
  const wrong = nodes.filter(({ state }) => state !== 'ok');
  const shown = nodes.length <= mostNodes ? nodes : wrong.slice(0, mostNodes);
  const more = nodes.length - shown.length;
  const outcomes = measured.nodes.flatMap(({ tests }) => Object.values(tests));
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length;
  const failing = nodes.filter(({ state }) => state === 'bad').length;
  const missed = outcomes.filter(({ kind }) => kind === 'not-run').length;
  return (
    <Panel
      title="Measured on the nodes"
      aside={
        <span className="flex flex-wrap gap-x-4">
          {failing > 0 ? (
            <StateMark state="bad">{`${failing} of ${counted(nodes.length, 'node')} ${failing === 1 ? 'fails' : 'fail'}`}</StateMark>
          ) : (
            passed > 0 && (
              <StateMark state="ok">
                {thousands(passed)} of {counted(outcomes.length - missed, 'test')} passed
              </StateMark>
            )
          )}
          {missed > 0 && <StateMark state="unknown">{thousands(missed)} not run</StateMark>}
        </span>
      }
    >
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(124px,1fr))] gap-1.5 px-4 py-3">
        {shown.map((one) => (
          <Cell key={one.node.node} outcome={one} />
        ))}
        {more > 0 && (
          <li className="flex items-center px-1 text-xs text-ink-3">
            {thousands(more)} more, {more === nodes.length - wrong.length ? 'all pass' : 'see Findings'}
          </li>
        )}
      </ul>
      <div className="flex flex-wrap gap-x-6 gap-y-2 px-4 pb-3 text-sm [&>details[open]]:basis-full">
        <Disclosure summary={`The ${nodeTests.length} tests on each node`}>
          <ol
            className="flex max-w-[120ch] flex-wrap gap-x-4 gap-y-1 text-xs text-ink-3"
            aria-label="From left to right"
          >
            {nodeTests.map(({ id, title }, index) => (
              <li key={id}>
                {index + 1} {title}
              </li>
            ))}
          </ol>
        </Disclosure>
        {again}
      </div>
    </Panel>
  );
}

function Cell({ outcome: { node, state, failed, missed } }: { outcome: MeasuredNode }) {
  const isBad = state === 'bad';
  const below = isBad
    ? failed.length === 1
      ? `failed: ${failed[0]}`
      : `${failed.length} failed`
    : state === 'unknown'
      ? missed.length === nodeTests.length
        ? 'not tested'
        : `${missed.length} not run`
      : node.ms === null
        ? ''
        : `${node.ms} ms`;
  return (
    <li
      className={`min-w-0 rounded-[5px] border px-[7px] pt-[5px] pb-1.5 text-xs ${isBad ? 'border-red bg-red-tint' : 'border-line'}`}
    >
      <span className="flex items-center justify-between gap-1">
        <span className={`truncate font-[560] ${isBad ? 'text-red' : ''}`} title={node.node}>
          {node.node}
        </span>
        <StateIcon state={state} />
      </span>
      <span aria-hidden="true" className="my-[5px] grid auto-cols-fr grid-flow-col gap-0.5">
        {nodeTests.flatMap(({ id }) => {
          const kind = node.tests[id]?.kind;
          return kind === undefined ? [] : [<span key={id} className={`rounded-[1px] ${looks[kind]}`} />];
        })}
      </span>
      <span className={`block [overflow-wrap:anywhere] ${isBad ? 'text-red' : 'text-ink-3'}`}>
        {below}
        <span className="sr-only">{summary(failed, missed)}</span>
      </span>
    </li>
  );
}

function summary(failed: readonly string[], missed: readonly string[]): string {
  if (failed.length + missed.length === 0) return ', every test passed';
  return [
    failed.length > 0 ? `, failed: ${failed.join(', ')}` : '',
    missed.length > 0 ? `, not run: ${missed.join(', ')}` : '',
  ].join('');
}
