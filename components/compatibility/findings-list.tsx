import { Disclosure } from '#components/ui/disclosure.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { agreeing } from '#lib/base/words.ts';
import type { Findings } from '#lib/checks/index.ts';
import type { Draft } from '#lib/console/host.ts';
import { type FindingInState, findingsInState, type StepPlace } from '#lib/console/wizard/index.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';
import { FindingCard } from './finding-card.tsx';
import { Frozen } from './frozen.tsx';

const inFull = ['blocking', 'unknown', 'decide', 'note', 'answered'];

/** Findings worst first: those that ask for something in full, the others in a line with their names. `place`: null reads only. */
export function FindingsList({
  findings,
  place = null,
  draft = null,
}: {
  findings: Findings;
  place?: StepPlace | null;
  draft?: Draft | null;
}) {
  const found = findingsInState(findings);
  const of = (...findingStates: FindingInState['state'][]) =>
    found.filter(({ state }) => findingStates.includes(state));
  const told = found.filter(({ state }) => inFull.includes(state));
  const [waiting, passed, skipped] = [of('waiting'), of('pass'), of('skipped')];
  return (
    <Frozen>
      <Panel>
        <h2 className="sr-only">Findings, worst first</h2>
        {place !== null && draft !== null && (
          <NotMeasuredTogether place={place} revision={draft.revision} found={found} />
        )}
        {told.map((one) => (
          <FindingCard key={one.finding.id} found={one} place={place} draft={draft} />
        ))}
        {told.length === 0 && passed.length === 0 && (
          <Empty title="Nothing applies to this goal">
            No check has anything to say here; the skipped ones give their reasons.
          </Empty>
        )}
        {waiting.length > 0 && (
          <Rest
            state="idle"
            word={`${waiting.length} ${agreeing(waiting.length, 'does', 'do')} not apply yet`}
            found={waiting}
            because={({ finding }) => `Does not apply while open: ${titleOf(findings, finding.followsFrom)}.`}
          />
        )}
        {passed.length > 0 && (
          <Rest state="ok" word={`${passed.length} pass`} found={passed} because={({ finding }) => finding.because} />
        )}
        {skipped.length > 0 && (
          <Rest
            state="idle"
            word={`${skipped.length} skipped`}
            found={skipped}
            because={({ finding }) => finding.because}
          />
        )}
      </Panel>
    </Frozen>
  );
}

function titleOf({ findings }: Findings, id: string | null): string | null {
  return findings.find((one) => one.id === id)?.title ?? id;
}

function Rest({
  state,
  word,
  found,
  because,
}: {
  state: 'ok' | 'idle';
  word: string;
  found: readonly FindingInState[];
  because: (one: FindingInState) => string;
}) {
  return (
    <section aria-label={word} className="border-t border-line px-4 py-3 first:border-t-0">
      <Disclosure
        summary={
          <>
            <StateMark state={state}>{word}</StateMark>
            <span className="ml-2 min-w-0 flex-1 truncate text-ink-2 group-open:invisible">
              {found.map(({ finding }) => finding.title).join(' · ')}
            </span>
          </>
        }
      >
        <ul className="grid grid-cols-1 gap-2 text-sm">
          {found.map((one) => (
            <li key={one.finding.id}>
              <p className="font-[560]">{one.finding.title}</p>
              <p className="text-ink-2 [overflow-wrap:anywhere]">{because(one)}</p>
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}

/** One answer for all that waits for a measurement on the nodes; each keeps its own finding below, with the same reason. */
function NotMeasuredTogether({
  place,
  revision,
  found,
}: {
  place: StepPlace;
  revision: number;
  found: readonly FindingInState[];
}) {
  const waiting = found.filter(({ finding, state }) => state === 'unknown' && finding.notMeasured !== null);
  if (waiting.length < 2) return null;
  return (
    <section aria-labelledby="not-measured" className="border-b border-line bg-sunk px-4 py-3.5">
      <h3 id="not-measured" className="font-semibold">
        {waiting.length} of these need a measurement on each node.
      </h3>
      <p className="mt-0.5 mb-2.5 text-ink-2">
        Signalbox cannot measure there yet. Where you know from elsewhere, one reason serves for all of them; each can
        still be taken back by itself.
      </p>
      <AcknowledgeForm
        place={place}
        revision={revision}
        name="not-measured"
        ids={waiting.map(({ finding }) => finding.id)}
        title={`Accept all ${waiting.length} that were not measured…`}
      />
    </section>
  );
}
