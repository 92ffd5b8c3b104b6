'use client';

import { useRouter } from 'next/navigation';
import { useActionState, useEffect, useState } from 'react';
import { type Started, useActions } from '#components/actions.tsx';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { consoleUnreachable } from '#components/ui/call/console-unreachable.ts';
import { callAction, failureOfCall } from '#components/ui/call/failure-of-call.ts';
import { DecisionFooter } from '#components/ui/decision-footer.tsx';
import { inputLook } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ShownPlan } from './shown-plan.ts';

export type StartFormProps = {
  cluster: string;
  draft: string;
  /** URL of the answers. */
  back: string;
  revision: number;
  planHash: string;
  shown: ShownPlan;
  /** The button's words: `Switch 14 nodes to eBPF`. */
  words: string;
  /** Words beside the field: `2 risks accepted · undo stored before each change`. */
  stakes: string;
  /** The name to type if a step touches traffic or cannot be undone; null: no confirmation. */
  name: string | null;
};

/** The form that starts the run. Typed text is kept after a failure, except if the plan has changed. The page is left only after the answer. */
export function StartForm({ cluster, draft, back, revision, planHash, shown, words, name, stakes }: StartFormProps) {
  const takeOver = useTakeOver();
  const router = useRouter();
  const [typed, setTyped] = useState('');
  // Without script the button is never disabled; the server checks the name.
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  const isOff = isLive && name !== null && typed.trim() !== name;
  const [isRefused, setRefused] = useState(false);
  const { startReviewed } = useActions();
  const [started, start, isPending] = useActionState<Started | null, FormData>(
    (before, form) =>
      // A console that does not answer must not replace the page with its typed text.
      callAction(
        () => startReviewed(before, form),
        (error) => ({ answer: failureOfCall(error, consoleUnreachable), changes: [] }),
      ),
    null,
  );
  const answer = started?.answer ?? null;
  const run = answer?.ok ? answer.value.run : null;
  const page = run === null ? null : `/clusters/${cluster}/runs/${run}`;
  useEffect(() => {
    if (page !== null) router.push(page);
  }, [page, router]);
  // The page shows another plan now, which needs a new confirmation.
  const isChanged = answer !== null && !answer.ok && answer.code === 'plan.changed';
  useEffect(() => {
    if (isChanged) setTyped('');
  }, [isChanged]);
  const failure = answer !== null && !answer.ok && !isPending ? answer : null;
  const error = isOff && isRefused ? `Type the cluster's name, ${name}, to start.` : failure?.fields?.confirmation;
  return (
    <DecisionFooter>
      {failure && failure.fields?.confirmation === undefined && (
        <div role="alert" className="mb-3 max-h-[40vh] overflow-y-auto">
          <Notice state={failure.code === 'plan.changed' ? 'warn' : 'bad'} title={failure.message}>
            {started !== null && started.changes.length > 0 && (
              <ul className="list-disc pl-5">
                {started.changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            )}
          </Notice>
        </div>
      )}
      <form
        action={start}
        onSubmit={(event) => {
          setRefused(isOff);
          if (isOff) event.preventDefault();
        }}
        className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2"
        aria-label="Start"
      >
        {Object.entries({ cluster, draft, revision, planHash, shown: JSON.stringify(shown) }).map(([key, value]) => (
          <input key={key} type="hidden" name={key} value={value} />
        ))}
        {name !== null && (
          <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 max-sm:w-full">
            <label htmlFor="confirmation">
              Type <code className="text-ink">{name}</code> to start
            </label>
            <input
              id="confirmation"
              name="confirmation"
              className={`${inputLook} max-w-64 min-w-0 flex-1 basis-40 font-mono`}
              ref={takeOver}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-describedby="start-says"
              aria-invalid={error === undefined ? undefined : true}
            />
          </span>
        )}
        <p
          id="start-says"
          aria-live="polite"
          className={`min-w-0 flex-1 basis-48 text-sm ${error === undefined ? 'text-ink-3' : 'font-[560] text-red'}`}
        >
          {isPending
            ? 'Reads the cluster once more and makes the plan again, then starts.'
            : page !== null
              ? 'Started.'
              : (error ?? stakes)}
        </p>
        <span className="flex flex-wrap gap-2">
          {page === null ? (
            <ButtonLink href={back}>Back</ButtonLink>
          ) : (
            <ButtonLink href={page}>Follow the run</ButtonLink>
          )}
          <Button
            kind="primary"
            type="submit"
            disabled={isPending || page !== null}
            aria-disabled={isOff || undefined}
            aria-describedby="start-says"
          >
            {words}
          </Button>
        </span>
      </form>
    </DecisionFooter>
  );
}
