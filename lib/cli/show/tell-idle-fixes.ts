import { type Findings, idleFixes } from '#lib/checks/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Tells of each `--fix` whose check does not fail. */
export function tellIdleFixes(choices: Pick<Choices, 'fix'>, findings: Findings, terminal: Terminal): void {
  if (terminal.verbosity === 'quiet') return;
  for (const sentence of idleFixes(choices, findings)) terminal.err(sentence);
}
