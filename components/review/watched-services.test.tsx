import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Actions, ActionsProvider } from '#components/actions.tsx';
import type { Plan } from '#lib/plan/index.ts';
import { WatchedServices } from './watched-services.tsx';

function shown(watchServices: boolean): string {
  const operations = [{ status: 'needed', effect: 'traffic', targets: [{}], act: { kind: 'wait' } }];
  const plan = { choices: { watchServices }, operations } as unknown as Plan;
  const actions = { watchServices: async () => ({ ok: true, value: null }) } as unknown as Actions;
  const markup = renderToStaticMarkup(
    <ActionsProvider actions={actions}>
      <WatchedServices cluster="prod-00000001" draft="draft-1" plan={plan} />
    </ActionsProvider>,
  );
  return markup.replace(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}

test('of many nodes only a sample asks Services, which is said before the run', () => {
  expect(shown(true)).toContain('on every node, or on a sample of 50 if there are more');
  expect(shown(true)).not.toContain('from every node');
  expect(shown(false)).not.toContain('node');
});
