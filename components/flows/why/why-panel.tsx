import { useId, useMemo, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, inputLook } from '#components/ui/field.tsx';
import type { Flow } from '#lib/flows/in-browser.ts';
import type { WhyAnswer } from '#lib/usecases/why/index.ts';
import { FailureMessage } from '../failure-message.tsx';
import { useAnswer } from '../use-answer.ts';
import { pairOfFlow, pairText, readPair, type WhyPair } from './why-pair.ts';
import { WhyResult } from './why-result.tsx';

const mostOffered = 200;

/**
 * A form that asks why one pod reaches another or not. Flows in the page's time answer, or else the present policies. The question is in the URL.
 */
export function WhyPanel({
  url,
  time,
  flows,
  text,
  onText,
}: {
  /** Of the cluster's flows. */
  url: string;
  /** The time of the page, as it is typed; empty: as flows come. */
  time: string;
  /** Flows whose ends are suggested. */
  flows: readonly Flow[];
  /** The question from the URL. */
  text: string;
  onText: (text: string) => void;
}) {
  const pair = readPair(text);
  const [typed, setTyped] = useState(pair);
  // A question from a link or a flow replaces the typed one.
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setTyped(pair);
  }
  const id = useId();
  const offers = useMemo(() => offersOf(flows), [flows]);
  const isWhole = pair.from !== '' && pair.to !== '';
  const path = isWhole ? `${url}/why?${new URLSearchParams({ ...pair, q: time })}` : null;
  const answer = useAnswer(path, null, isWhy);
  const isReading = path !== null && answer.path !== path;
  const ask = () => {
    const next = { from: typed.from.trim(), to: typed.to.trim() };
    onText(pairText(next));
    if (pairText(next) === text) answer.again();
  };
  return (
    <div className="flex flex-col gap-4 px-4 py-3">
      <form
        className="grid items-start gap-x-4 gap-y-3 md:grid-cols-[minmax(0,24rem)_minmax(0,24rem)_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <End
          id={`${id}-from`}
          label="From"
          hint="NAMESPACE/POD, a name as flows show it, or NAMESPACE/LABEL=VALUE"
          value={typed.from}
          offers={offers.from}
          onValue={(from) => setTyped({ ...typed, from })}
        />
        <End
          id={`${id}-to`}
          label="To, with the port of the pod"
          hint="payments/ledger-db:5432, kube-system/kube-dns:53/udp"
          value={typed.to}
          offers={offers.to}
          onValue={(to) => setTyped({ ...typed, to })}
        />
        <Button
          type="submit"
          kind="primary"
          className="justify-self-start md:mt-[26px]"
          disabled={typed.from === '' || typed.to === ''}
        >
          Ask why
        </Button>
      </form>
      <div aria-live="polite" className="min-h-24">
        {!isWhole ? (
          <p className="max-w-[80ch] text-ink-2">
            Shows if one pod reaches another, and which policy decides: from flows where some were seen, else from the
            policies of the cluster as they are now.
          </p>
        ) : isReading ? (
          <p className="text-ink-2">Asking…</p>
        ) : answer.failed !== null ? (
          <FailureMessage message={answer.failed} look="text-red" />
        ) : (
          answer.read && <WhyResult answer={answer.read} />
        )}
      </div>
    </div>
  );
}

function End({
  id,
  label,
  hint,
  value,
  offers,
  onValue,
}: {
  id: string;
  label: string;
  hint: string;
  value: string;
  offers: readonly string[];
  onValue: (value: string) => void;
}) {
  const takeOver = useTakeOver();
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        id={id}
        ref={takeOver}
        aria-describedby={`${id}-hint`}
        list={`${id}-list`}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onValue(target.value)}
        className={`${inputLook} font-mono text-xs`}
      />
      <datalist id={`${id}-list`}>
        {offers.map((offer) => (
          <option key={offer} value={offer} />
        ))}
      </datalist>
    </Field>
  );
}

/** Suggestions: ends of the page's flows. */
function offersOf(flows: readonly Flow[]): Readonly<Record<keyof WhyPair, readonly string[]>> {
  const pairs = flows.flatMap((flow) => pairOfFlow(flow) ?? []);
  const of = (end: keyof WhyPair) => [...new Set(pairs.map((pair) => pair[end]))].sort().slice(0, mostOffered);
  return { from: of('from'), to: of('to') };
}

function isWhy(value: unknown): value is WhyAnswer {
  return typeof value === 'object' && value !== null && 'answeredBy' in value;
}
