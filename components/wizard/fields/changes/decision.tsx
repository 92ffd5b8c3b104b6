'use client';

import { memo } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { inputLook } from '#components/ui/field.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { fieldName } from '#lib/console/wizard/index.ts';
import type { DecidedChange } from '#lib/plan/index.ts';
import { useField, useFormFields } from '../../step/form-fields.ts';
import { useFieldError } from '../../step/server-errors.ts';
import { ChangedValue } from './changed-value.tsx';
import { OneOf } from './one-of.tsx';

/**
 * The decision on one manual change: keep it, take the new file's value, or type a value. Only an answer selects a radio button. A proposal is marked but not
 * selected; otherwise a user who decides one change would submit all proposals as decisions. A saved answer refreshes the page with new objects for all changes, so
 * they are compared by what they say: only the changed row is rendered anew.
 */
export const Decision = memo(OneDecision, (before, now) => JSON.stringify(before) === JSON.stringify(now));

function OneDecision({
  change,
  to,
  decided,
  written,
}: {
  change: DecidedChange;
  to: string;
  /** The stored answer; empty: none. */
  decided: string;
  /** The stored value of *Write this*; empty: none. */
  written: string;
}) {
  const { id, path, old, mine, next, proposed } = change;
  const [decide, value] = [fieldName('decide', id), fieldName('value', id)];
  return (
    <OneOf
      name={decide}
      legend={path}
      initial={decided}
      aside={<WhoDecided change={change} />}
      options={[
        {
          value: 'keep',
          title: 'Keep mine',
          text: (
            <>
              <ChangedValue value={mine} of={`of ${path}, mine`} />
              {proposed.isLeft && proposed.decision === 'keep' && <span className="text-ink-3"> · proposed</span>}
            </>
          ),
        },
        {
          value: 'take',
          title: 'Take the new',
          text: (
            <>
              <ChangedValue value={next} of={`of ${path} in ${to}`} />
              {old !== undefined && <Was old={old} path={path} />}
              {proposed.isLeft && proposed.decision === 'take' && <span className="text-ink-3"> · proposed</span>}
            </>
          ),
        },
        { value: 'write', title: 'Write this', text: 'a value of your own' },
      ]}
      below={<Written name={value} decide={decide} path={path} decided={decided} initial={written} />}
    />
  );
}

/** What the release that runs had there: the reason why this is a change. */
function Was({ old, path }: { old: unknown; path: string }) {
  return (
    <span className="text-ink-3">
      {' '}
      · before: <ChangedValue value={old} of={`of ${path} in the earlier file`} />
    </span>
  );
}

function WhoDecided({ change: { decidedBy, proposed } }: { change: DecidedChange }) {
  if (decidedBy === 'answer') return <StateMark state="ok">decided</StateMark>;
  return proposed.isLeft ? (
    <StateMark state="idle">as proposed</StateMark>
  ) : (
    <StateMark state="warn">to decide</StateMark>
  );
}

function Written({
  name,
  decide,
  path,
  decided,
  initial,
}: {
  name: string;
  /** The field that says whether it is written. */
  decide: string;
  path: string;
  decided: string;
  initial: string;
}) {
  const takeOver = useTakeOver();
  const { give, leave } = useFormFields();
  const isShown = useField(decide, (seen) => (seen.value(decide) ?? decided) === 'write');
  const text = useField(name, (seen) => seen.value(name) ?? initial);
  const error = useFieldError(name);
  return (
    <div className={isShown ? 'mt-1.5 pl-8' : 'hidden noscript:block'}>
      <input
        ref={takeOver}
        id={name}
        name={name}
        aria-label={`Value to write for ${path}`}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${name}-error`}
        className={`${inputLook} max-w-xl font-mono`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={({ target }) => give(name, target.value)}
        onBlur={() => leave(name)}
      />
      <p className="mt-1 text-xs text-ink-3">Text, a number, true or false, or a block as JSON.</p>
      {error !== undefined && (
        <p id={`${name}-error`} className="mt-1 text-sm font-[560] text-red">
          {error}
        </p>
      )}
    </div>
  );
}
