import type { ReactNode } from 'react';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import type { WhyAnswer, WhyEnd, WhyVerdict } from '#lib/usecases/why/index.ts';

const verdicts: Readonly<Record<WhyVerdict, readonly [State, string]>> = {
  allowed: ['ok', 'Allowed'],
  denied: ['bad', 'Denied'],
  unknown: ['unknown', 'Not verified'],
};
const ends: Readonly<Record<WhyEnd['end'], string>> = {
  source: 'At the source, egress of',
  destination: 'At the destination, ingress of',
};

/** An answer: first the verdict and whether flows or policies give it, then each end with the evaluated policies in order. */
export function WhyResult({ answer }: { answer: WhyAnswer }) {
  const { from, to, port, protocol } = answer;
  const pair = (
    <p className="font-mono text-xs break-words">
      <b className="font-semibold">{from}</b> → {to}:{port} {protocol}
    </p>
  );
  if (answer.answeredBy === 'nobody')
    return (
      <section aria-label="Answer" className="flex flex-col gap-2">
        {pair}
        <p>
          <StateMark state="unknown">Not known</StateMark>{' '}
          <span className="break-words text-ink-2">{answer.because}</span>
        </p>
      </section>
    );
  if (answer.answeredBy === 'flows')
    return (
      <section aria-label="Answer" className="flex flex-col gap-3">
        {pair}
        <p>
          <Verdict of={answer.verdict} />{' '}
          <span className="text-ink-2">
            as flow logs saw it.
            {answer.isCut && ' There are more flows than are read at once: these are of the newest.'}
          </span>
        </p>
        <TwoEnds>
          {answer.flows.map(({ flow, sentence, trail, staged }) => (
            <EndBox key={flow.reporter} title={`Reported by the ${flow.reporter}'s node`}>
              <p className="break-words">
                <b className="font-semibold">{sentence}</b> {staged}
              </p>
              <Trail lines={trail} />
            </EndBox>
          ))}
        </TwoEnds>
      </section>
    );
  return (
    <section aria-label="Answer" className="flex flex-col gap-3">
      {pair}
      <p className="break-words">
        <Verdict of={answer.verdict} />{' '}
        <span className="text-ink-2">judged from the policies as they are now. {answer.noFlows}</span>
      </p>
      {answer.because !== null && <p className="break-words">Policies cannot be judged: {answer.because}.</p>}
      <JudgedEnds ends={answer.ends} />
      {answer.staged !== null && (
        <>
          <p>
            With the staged policies in force: <Verdict of={answer.staged.verdict} />
          </p>
          <JudgedEnds ends={answer.staged.ends} />
        </>
      )}
    </section>
  );
}

function Verdict({ of }: { of: WhyVerdict }) {
  const [state, words] = verdicts[of];
  return <StateMark state={state}>{words}</StateMark>;
}

function JudgedEnds({ ends: judged }: { ends: readonly WhyEnd[] }) {
  if (judged.length === 0) return null;
  return (
    <TwoEnds>
      {judged.map(({ end, pod, verdict, trail }) => (
        <EndBox key={end} title={`${ends[end]} ${pod}`}>
          <p>
            <Verdict of={verdict} />
          </p>
          <Trail lines={trail} />
        </EndBox>
      ))}
    </TwoEnds>
  );
}

const TwoEnds = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-3 min-[900px]:grid-cols-2">{children}</div>
);

function EndBox({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1 rounded-md border border-line px-3 py-2">
      <h3 className="text-sm font-semibold break-words text-ink-3">{title}</h3>
      {children}
    </section>
  );
}

function Trail({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ol className="list-decimal pl-5 text-ink-2" aria-label="Policies, in the order in which they are asked">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is what a policy is here.
        <li key={index} className="break-words">
          {line}
        </li>
      ))}
    </ol>
  );
}
