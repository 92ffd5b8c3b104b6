'use client';

import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Failure } from '#lib/console/host.ts';
import type { Values } from '#lib/console/wizard/index.ts';
import { ConflictNotice } from '../conflict-notice.tsx';
import type { KeptForm } from './use-step-form.ts';

/** Above the form, why it cannot continue: links to wrong fields, another tab's answer, a console that does not answer. */
export function FormProblem({
  failure,
  keeping,
  isRefused,
}: {
  failure: Failure | null;
  keeping: KeptForm;
  isRefused: boolean;
}) {
  const { saving } = keeping;
  const box = useRef<HTMLDivElement>(null);
  const { errors } = useFormContext<Values>().formState;
  const wrong = Object.entries(errors).flatMap(([name, error]) =>
    error?.message ? [{ name, message: error.message }] : [],
  );
  const isSummary = isRefused && wrong.length > 0;
  useEffect(() => {
    if (isSummary) box.current?.focus();
  }, [isSummary]);

  if (saving.kind === 'conflict')
    return <ConflictNotice saving={saving} takeMine={keeping.takeMine} takeTheirs={keeping.takeTheirs} />;
  const shown = saving.kind === 'failed' ? saving.failure : failure?.code === 'step.not-ready' ? null : failure;
  if (!isSummary && shown === null) return null;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="mb-4">
      {!isSummary && shown !== null ? (
        <Notice
          state={shown.code === 'console.away' ? 'unknown' : 'bad'}
          title={shown.message}
          actions={saving.kind === 'failed' && <Button onClick={() => void keeping.flush()}>Try again now</Button>}
        />
      ) : (
        <Notice
          state="bad"
          title={wrong.length === 1 ? 'One field needs another look.' : `${wrong.length} fields need another look.`}
        >
          <ul>
            {wrong.map(({ name, message }) => (
              <li key={name}>
                <a href={`#${name}`}>{message}</a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
