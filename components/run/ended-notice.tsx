import { ButtonLink } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { thousands } from '#lib/base/words.ts';
import type { RunView } from '#lib/console/wire.ts';
import type { RunState } from '#lib/run/index.ts';
import { isUnverified } from '#lib/run/model/has-ended.ts';
import { OutcomeStrip } from './outcome-strip.tsx';
import { wayBackWords } from './way-back-words.ts';

/** How a run ended, what that means, and what can be done now. */
export function EndedNotice({
  state,
  cluster,
  run,
  goal,
  residue,
  operations,
}: {
  state: Extract<RunState, { kind: 'done' | 'undone' | 'stopped' | 'failed' }>;
  cluster: string;
  run: string;
  goal: string;
  /** What an undone run leaves on purpose. */
  residue: readonly string[];
  operations: RunView['operations'];
}) {
  const actions = (
    <>
      <ButtonLink href={`/clusters/${cluster}/runs/${run}/report`}>Open the report</ButtonLink>
      <ButtonLink href={`/clusters/${cluster}`}>Go to the dashboard</ButtonLink>
    </>
  );
  switch (state.kind) {
    case 'done': {
      const unverified = operations.filter(({ outcome }) => isUnverified(outcome));
      const title =
        unverified.length === 0
          ? 'Done: every step was seen to have its effect'
          : `Done, ${unverified.length} not verified: ${unverified.map((line) => line.title).join('; ')}`;
      return (
        <OutcomeStrip state={unverified.length === 0 ? 'ok' : 'unknown'} title={title} actions={actions}>
          {unverified.map(({ seq, note }) => note !== null && <p key={seq}>{note}</p>)}
          <p>
            {goal === 'install'
              ? 'The earlier state is kept in the cluster: an undo of this run uninstalls Calico.'
              : 'All that an undo needs stays in the cluster: you can undo the run until another run builds on it.'}
          </p>
        </OutcomeStrip>
      );
    }
    case 'undone':
      return (
        <OutcomeStrip state="idle" title={wayBackWords(goal).over} actions={actions}>
          {residue.length > 0 && <Listed title="Left as it is on purpose" items={residue} />}
        </OutcomeStrip>
      );
    case 'stopped':
      return (
        <OutcomeStrip state="warn" title="Stopped: the cluster stays as it is" actions={actions}>
          {state.remains.length > 0 ? (
            <Listed title="What this run did, and did not undo" items={state.remains} />
          ) : (
            'Nothing had been changed yet.'
          )}
        </OutcomeStrip>
      );
    case 'failed':
      return (
        <OutcomeStrip state="bad" title="Failed" actions={actions}>
          {state.because}
        </OutcomeStrip>
      );
  }
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <Disclosure summary={`${title}: ${thousands(items.length)}`}>
      <ul className="list-disc pl-5">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Disclosure>
  );
}
