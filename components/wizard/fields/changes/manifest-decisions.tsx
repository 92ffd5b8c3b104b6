'use client';

import { useFormContext } from 'react-hook-form';
import { Button } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import type { DecidedChange, UpgradeChanges } from '#lib/plan/index.ts';
import { decideAll } from './decide-all.ts';
import { Decision } from './decision.tsx';
import { OneOf } from './one-of.tsx';
import { StaleAnswers } from './stale-answers.tsx';

/** Every change by hand with its answer; objects that the new release no longer has; and answers that are about nothing any more. */
export function ManifestDecisions({
  changes: { changes, gone, stray, file, to },
  saved,
}: {
  changes: Extract<UpgradeChanges, { kind: 'manifest' }>;
  saved: Values;
}) {
  const objects = [...Map.groupBy(changes, ({ object }) => object)];
  return (
    <div className="grid grid-cols-1 gap-4">
      {stray.length > 0 && <StaleAnswers names={stray} saved={saved} />}
      {changes.length === 0 ? (
        <p className="text-ink-2">
          Nothing was changed by hand: what runs is as its file has it, or as {file} of {to} has it.
        </p>
      ) : (
        <ForAll changes={changes} />
      )}
      {objects.map(([object, own]) => (
        <Panel key={object} title={object} aside={<span className="text-sm">{counted(own.length, 'change')}</span>}>
          {own.map((change) => (
            <Decision
              key={change.id}
              change={change}
              to={to}
              decided={saved[fieldName('decide', change.id)] ?? ''}
              written={saved[fieldName('value', change.id)] ?? ''}
            />
          ))}
        </Panel>
      ))}
      {gone.length > 0 && (
        <Panel
          title={`No longer in ${file} of ${to}`}
          aside={<span className="text-sm">{counted(gone.length, 'object')}</span>}
        >
          {gone.map(({ id, usedBy }) => (
            <OneOf
              key={id}
              name={fieldName('remove', id)}
              legend={id}
              initial={saved[fieldName('remove', id)] ?? ''}
              options={[
                {
                  value: '',
                  title: 'Leave it',
                  text:
                    usedBy.length > 0 ? `Still used by ${usedBy.join(', ')}.` : 'Not used by any object that was read.',
                },
                { value: 'yes', title: 'Delete it', text: 'The undo creates it again.' },
              ]}
            />
          ))}
        </Panel>
      )}
    </div>
  );
}

/** One press for all of them; each stays to be changed on its own. */
function ForAll({ changes }: { changes: readonly DecidedChange[] }) {
  const form = useFormContext<Values>();
  const unproposed = changes.filter(({ proposed }) => !proposed.isLeft).length;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-sm text-ink-2">
        {unproposed === 0
          ? `The new release leaves ${agreeing(changes.length, 'this field', 'all these fields')} as before: keeping yours is proposed.`
          : `${counted(unproposed, 'change')} ${agreeing(unproposed, 'has', 'have')} no proposal: the new release changed the same field, or its author is unknown.`}
      </p>
      <div className="flex flex-wrap gap-2 noscript:hidden">
        <Button onClick={() => decideAll(form, changes, 'keep')}>Keep all mine</Button>
        <Button onClick={() => decideAll(form, changes, 'take')}>Take all of the new</Button>
      </div>
    </div>
  );
}
