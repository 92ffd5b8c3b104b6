import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Actions, ActionsProvider } from '#components/actions.tsx';
import type { PreflightState } from '#lib/console/host.ts';
import { TestNodes } from './test-nodes.tsx';

const offer: Extract<PreflightState['offer'], { kind: 'offered' }> = {
  kind: 'offered',
  ...{ digest: '0123456789abcdef', nodes: 5_000, makes: 'Makes namespace `signalbox-probe`.', withoutPod: null },
  ...{ script: 'true', podScript: null, ids: ['Namespace/signalbox-probe'], objects: 'kind: Namespace\n' },
  history: null,
};

function shown(differs: Partial<typeof offer>): string {
  const actions = { startPreflight: async () => ({ ok: true, value: null }) } as unknown as Actions;
  const markup = renderToStaticMarkup(
    <ActionsProvider actions={actions}>
      <TestNodes
        place={{ cluster: 'prod-00000001', draft: 'draft-1', step: 'compatibility' } as never}
        preflight={{ offer: { ...offer, ...differs }, view: null }}
        kind="primary"
      />
    </ActionsProvider>,
  );
  return markup.replace(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('what so many pods leave in etcd is said before the button that makes them, and only where it is much', () => {
  const text = shown({ history: 'The pods of so many nodes leave up to 1.6 GiB in etcd.' });
  const [warned, button] = [
    text.search(/Much for etcd The pods .* 1\.6 GiB in etcd/),
    text.indexOf('Test 5,000 nodes'),
  ];
  expect(warned).toBeGreaterThan(-1);
  expect(button).toBeGreaterThan(warned);
  expect(shown({})).not.toContain('etcd');
});
