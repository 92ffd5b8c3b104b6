import type { Plan } from '#lib/plan/index.ts';
import { eventsSince, type Journal, runLines, underWay } from '#lib/run/index.ts';
import { foldRun } from '../fold/fold-run.ts';
import type { RunView } from '../wire.ts';

/**
 * A run by its journal, for a page that was just opened: folded like events, so that both show the same log. Contains what nodes showed at the end of
 * each step. `revision`: the id of the snapshot.
 */
export function viewOfJournal(
  plan: Plan,
  journal: Journal,
  { role, isForeign }: Pick<RunView, 'role' | 'isForeign'>,
  revision: number,
): RunView {
  const { run, cluster, goal, upgrade, state, startedAt } = journal;
  let view: RunView = {
    revision: 0,
    turnedAt: revision,
    run,
    cluster,
    goal,
    ...(upgrade === undefined ? {} : { upgrade }),
    role,
    isForeign,
    state,
    startedAt,
    operations: runLines(plan, journal),
    now: null,
    nodes: [],
    log: [],
    problem: null,
    services: journal.services ?? null,
    stale: null,
  };
  for (const { number, event, seen } of eventsSince(plan, journal)) {
    seen.forEach(({ at, body }, index) => {
      const id = number - 1 + (index + 1) / (seen.length + 1);
      view = foldRun(view, { ...body, id, at, run });
    });
    // Lines from the journal are numbered, below the ids of any event.
    if (event) view = foldRun(view, { ...event.body, id: number, at: event.at, run });
  }
  const step = underWay(plan, journal);
  const now = step?.body.event === 'operation' ? { ...step.body.data, since: step.at } : null;
  return { ...view, revision, operations: runLines(plan, journal), ...stateAndProblem(journal), now };
}

/** A run's state and problem, from its journal. */
export function stateAndProblem(journal: Journal): Pick<RunView, 'state' | 'problem'> {
  const { state } = journal;
  if (state.kind !== 'paused') return { state, problem: null };
  const { code, because, meaning, subjects, choices } = state;
  return { state, problem: { code, message: `${because} ${meaning}`, subjects, choices } };
}
