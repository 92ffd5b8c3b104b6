import { readWorkload, type SuggestedPolicy, suggestionText, type WorkloadName } from '#lib/flows/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The workload of `suggest`, by its name in flows. */
export function suggestedWorkload(words: readonly string[]): WorkloadName {
  const [word = '', ...more] = words;
  const named = readWorkload(word);
  if (named === null || more.length > 0)
    throw usageError('suggest takes one workload: signalbox flows suggest NAMESPACE/WORKLOAD');
  return named;
}

/** Prints a policy that allows the seen flows. Throws with the reason if none can be suggested. */
export function tellSuggestion(suggested: SuggestedPolicy | string, format: 'yaml' | 'json', terminal: Terminal): void {
  if (typeof suggested === 'string') throw new CliError(exit.notAsAsked, visibleLine(suggested));
  if (format === 'json') terminal.out(jsonText(suggested, 2));
  else terminal.out(suggestionText(suggested).trimEnd());
}
