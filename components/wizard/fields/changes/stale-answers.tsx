'use client';

import { Panel } from '#components/ui/panel.tsx';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import { OneOf } from './one-of.tsx';

/** The cluster or the release is another one than when they were given: a plan with them would be refused. */
export function StaleAnswers({ names, saved }: { names: readonly string[]; saved: Values }) {
  return (
    <Panel title="Answers that no longer fit">
      <p className="px-4 pt-3 text-sm text-ink-2">
        These fields no longer differ. No plan is made while these answers remain.
      </p>
      {names.map((name) => {
        const field = [fieldName('decide', name), fieldName('remove', name)].find((one) => (saved[one] ?? '') !== '');
        return (
          field !== undefined && (
            <OneOf
              key={name}
              name={field}
              legend={name}
              initial={saved[field] ?? ''}
              options={[
                {
                  value: saved[field] ?? '',
                  title: `It stays: ${saved[field] === 'yes' ? 'delete' : saved[field]}`,
                  text: '',
                },
                { value: '', title: 'Take it back', text: '' },
              ]}
            />
          )
        );
      })}
    </Panel>
  );
}
