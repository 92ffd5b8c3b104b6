import type { RunControl } from '#lib/run/index.ts';
import { exit } from '../exit.ts';
import type { RunStory } from '../show/run-story.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Handles Ctrl-C during a run: asks on a terminal, otherwise pauses. A second Ctrl-C pauses, a third exits at once. `undoing`: undo is not offered, because the
 * run is being undone. `detach`: another process carries the run, which continues without this one.
 */
export function interruptions(
  { terminal, story, control }: { terminal: Terminal; story: RunStory; control: Pick<RunControl, 'ask'> },
  undoing: () => boolean,
  detach?: () => void,
): { interrupt(): void; happened(): boolean } {
  let state: 'none' | 'asking' | 'pausing' = 'none';
  let happened = false;

  const pause = () => {
    state = 'pausing';
    terminal.err(
      detach
        ? 'The console pauses the run at the next safe place. Ctrl-C leaves at once.'
        : 'Pausing at the next safe place. Ctrl-C leaves at once; `signalbox resume` then continues the run.',
    );
    control.ask('pause');
  };
  const ask = async () => {
    state = 'asking';
    story.hold();
    const answers = [
      'p: pause',
      's: stop here',
      ...(undoing() ? [] : ['u: undo']),
      ...(detach ? ['d: detach'] : []),
      'c: continue',
    ].join(', ');
    for (;;) {
      const answer = await terminal.ask(`What now? ${answers}, then Enter: `);
      const letter = answer?.slice(0, 1).toLowerCase();
      if (answer === null || letter === 'p') {
        pause();
        break;
      }
      if (letter === 's') control.ask('stop');
      else if (letter === 'u' && !undoing()) control.ask('undo');
      else if (letter === 'd' && detach) detach();
      else if (letter !== 'c') {
        terminal.err(`${JSON.stringify(answer)} is not one of these.`);
        continue;
      }
      state = 'none';
      break;
    }
    story.goOn();
  };

  return {
    interrupt: () => {
      happened = true;
      if (state === 'pausing') process.exit(exit.interrupted);
      if (state === 'asking') return;
      if (terminal.canAsk) void ask();
      else pause();
    },
    happened: () => happened,
  };
}
