import { expect, test } from 'vitest';
import { commands } from '../commands/index.ts';
import { commandHelp, overview } from './help.ts';

const width = 80;
const loaded = await Promise.all(Object.values(commands).map(({ load }) => load()));

/** Summaries of commands begin with an imperative: `Show …`, not `What …`. */
const imperative =
  /^(Ask|Carry|Change|Collect|Continue|Delete|End|List|Print|Run|Save|Serve|Set|Show|Start|Test|Undo) /;

test.each(loaded.map((command) => [command.name, command] as const))(
  '%s is told in the imperative, and fits a terminal',
  (_, command) => {
    expect(command.summary).toMatch(imperative);
    const wide = commandHelp(command, width)
      .split('\n')
      .filter((line) => line.length > width);
    expect(wide).toEqual([]);
  },
);

test.each(Object.entries(commands))('in the overview %s is told in the imperative', (_, { summary }) => {
  expect(summary).toMatch(
    /^(carry|change|continue|delete|end|label|list|open|pause|print|run|save|serve|show|test|undo)[ ,]/,
  );
  expect(overview(commands, 200)).toContain(summary);
});

test('the overview fits a terminal', () => {
  expect(
    overview(commands, width)
      .split('\n')
      .filter((line) => line.length > width),
  ).toEqual([]);
});

test('flows has an example of each form', () => {
  const flows = loaded.find(({ name }) => name === 'flows');
  const forms = (flows?.arguments ?? '').split(' | ').map((form) => /^\[?([a-z]+)/.exec(form)?.[1]);
  expect(forms).toEqual(['top', 'why', 'suggest', 'changes', 'collect']);
  const lines = (flows?.examples ?? []).map(([line]) => line);
  for (const form of forms)
    expect(lines.filter((line) => line.startsWith(`flows ${form} `) || line === `flows ${form}`)).toHaveLength(1);
  expect(flows && commandHelp(flows, width)).toContain('Examples:\n  signalbox flows verdict:denied');
});

test('a command that prints no data lists no format', () => {
  const silent = loaded.filter((command) => !commandHelp(command, width).includes('--output'));
  expect(silent.map(({ name }) => name).sort()).toEqual([
    'completion',
    'console',
    'flow-aggregator',
    'operator',
    'pause',
  ]);
});
