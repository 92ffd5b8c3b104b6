import type { Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';

/**
 * Asks whether to go on, unless `--yes` says so already. `why`: what confirmation is for, as a clause of the error where there is no terminal to ask on. `question`
 * names the answer that confirms, which is `yes` unless `confirms` decides otherwise. Throws if nobody can be asked, and for every other answer.
 */
export async function confirm(
  { terminal, flags }: Pick<Invocation, 'terminal' | 'flags'>,
  {
    why,
    question,
    confirms = (answer) => answer === 'yes',
  }: { why: string; question: string; confirms?: (answer: string) => boolean },
): Promise<void> {
  if (flags.has('yes')) return;
  if (!terminal.canAsk) throw usageError(`--yes is needed without a terminal: ${why}`);
  const answer = await terminal.ask(question);
  if (answer === null || !confirms(answer)) throw new CliError(exit.notAsAsked, 'Nothing was changed.');
}
