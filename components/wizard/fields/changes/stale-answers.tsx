'use client';

import { Panel } from '#components/ui/panel.tsx';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import { OneOf } from './one-of.tsx';

/** The cluster or the release is another one than when they were given: a plan with them would be refused. */
export function StaleAnswers({ names, kept }: { names: readonly string[]; kept: Values }) {
  return (
    <Panel title="Answers that no longer fit">
      <p className="px-4 pt-3 text-sm text-ink-2">
        These fields no longer differ. No plan is made while these answers remain.
      </p>
      {names.map((name) => {
        const field = [fieldName('decide', name), fieldName('remove', name)].find((one) => (kept[one] ?? '') !== '');
        return (
          field !== undefined && (
            <OneOf
              key={name}
              name={field}
              legend={name}
              initial={kept[field] ?? ''}
              options={[
                {
                  value: kept[field] ?? '',
                  title: `It stays: ${kept[field] === 'yes' ? 'delete' : kept[field]}`,
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
