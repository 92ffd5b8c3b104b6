import type { Plan } from '#lib/plan/index.ts';
import { type FlagsByProgram, sentenceWithClusterFlags } from '#lib/text/index.ts';
import { countAtStart } from './accepted-risks.ts';
import type { EventBody, RunEvent } from './event.ts';
import { directionOf, type Entry, type Journal, type RunState } from './journal.ts';
import { eventsOfSeen, type SeenEvent } from './seen.ts';
import { stepsOf } from './steps.ts';

/** An event without its id in the stream. */
export type JournalEvent =
  | { at: string; body: Omit<Extract<RunEvent, { event: 'operation' }>, 'id' | 'at' | 'run'> }
  | { at: string; body: Omit<Extract<RunEvent, { event: 'log' }>, 'id' | 'at' | 'run'> }
  | { at: string; body: Omit<Extract<RunEvent, { event: 'problem' }>, 'id' | 'at' | 'run'> };

/**
 * What a journal says beyond an earlier state of it, oldest first; null for entries without an event of their own. `number`: of the entry, from 1.
 * `turns`: the run turns back here. `seen`: observations before it, for pages that were not open. Pure.
 */
export function eventsSince(
  plan: Plan,
  journal: Journal,
  earlier: Journal | null = null,
): { number: number; event: JournalEvent | null; turns: boolean; seen: SeenEvent[] }[] {
  const known = earlier?.entries.length ?? 0;
  // These belong to the start of the run, not to its events.
  const atStart = countAtStart(journal);
  return journal.entries.slice(known).map((entry, index) => ({
    number: known + index + 1,
    event: known + index < atStart ? null : eventOfEntry(plan, journal, entry),
    turns: entry.what === 'undo-asked',
    seen: 'seen' in entry && entry.seen ? eventsOfSeen(entry.seen, entry.at) : [],
  }));
}

/** The event of a journal's entry; null if the entry has no event of its own. */
function eventOfEntry(plan: Plan, journal: Journal, entry: Entry): JournalEvent | null {
  const { at } = entry;
  const log = (message: string): JournalEvent => ({ at, body: { event: 'log', data: { message } } });
  switch (entry.what) {
    case 'begun':
    case 'acted':
    case 'finished':
      return operation(plan, journal, entry);
    case 'part':
      return null;
    case 'paused':
      return {
        at,
        body: {
          event: 'problem',
          data: {
            code: entry.code,
            message: entry.because,
            subjects: journal.state.kind === 'paused' ? journal.state.subjects : [],
            choices: journal.state.kind === 'paused' ? journal.state.choices : [],
          },
        },
      };
    case 'resumed':
      return log('The run continues.');
    case 'taken-over':
      return log(`The run was taken over from ${entry.from}.`);
    case 'undo-asked':
      return log('The run is being undone.');
    case 'acknowledged':
      return log(`${entry.id} was accepted: ${entry.reason}`);
    case 'request':
      return log(`Request from outside: ${entry.request}; ${entry.answer}.`);
    case 'nudged':
      return log(entry.because);
    case 'ended':
      return log(ended[entry.state] ?? `The run has ended: ${entry.state}.`);
  }
}

const ended: Record<string, string> = {
  done: 'The run is done.',
  undone: 'The run was undone.',
  stopped: 'The run was stopped; the cluster stays as it is.',
};

function operation(
  plan: Plan,
  journal: Journal,
  entry: Extract<Entry, { what: 'begun' | 'acted' | 'finished' }>,
): JournalEvent | null {
  const found = stepsOf(plan, journal, entry.direction).find(({ key }) => key.seq === entry.seq);
  if (!found) return null;
  const { direction, seq } = entry;
  return {
    at: entry.at,
    body: {
      event: 'operation',
      data: {
        direction,
        seq,
        id: found.id,
        title: found.title,
        state: entry.what,
        awaiting: null,
        heldUpBy: [],
        usualSeconds: found.usualSeconds,
        deadlineAt: null,
        note: entry.what === 'finished' ? entry.note : null,
        outcome: entry.what === 'finished' ? entry.outcome : null,
      },
    },
  };
}

/** The step that is under way by the journal: begun and not finished, in the run's direction. */
export function underWay(plan: Plan, journal: Journal): JournalEvent | null {
  if (journal.state.kind !== 'running') return null;
  const direction = directionOf(journal);
  const open = journal.entries.findLast(
    (entry) =>
      (entry.what === 'begun' || entry.what === 'acted' || entry.what === 'finished') && entry.direction === direction,
  );
  if (!open || (open.what !== 'begun' && open.what !== 'acted')) return null;
  return operation(plan, journal, open);
}

/**
 * A journal for display: the commands of its sentences name the cluster. A stored journal names none, because others read it with other kubeconfigs: each
 * face adds the flags of the machine on which it is shown. Pure.
 */
export function journalWithClusterFlags(journal: Journal, flags: FlagsByProgram): Journal {
  const entries = journal.entries.map((entry) =>
    'because' in entry ? { ...entry, because: sentenceWithClusterFlags(entry.because, flags) } : entry,
  );
  return { ...journal, state: stateWithClusterFlags(journal.state, flags), entries };
}

function stateWithClusterFlags(state: RunState, flags: FlagsByProgram): RunState {
  return 'because' in state ? { ...state, because: sentenceWithClusterFlags(state.because, flags) } : state;
}

/** An event for display: the commands of its sentences name the cluster, as in `journalWithClusterFlags`. Pure. */
export function eventWithClusterFlags<E extends EventBody>(event: E, flags: FlagsByProgram): E {
  if (event.event !== 'log' && event.event !== 'problem') return event;
  return { ...event, data: { ...event.data, message: sentenceWithClusterFlags(event.data.message, flags) } };
}
