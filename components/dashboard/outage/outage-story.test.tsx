import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Host, provideHost, type Slug } from '#lib/console/host.ts';
import { noFlags } from '#lib/text/index.ts';
import { HowItCame } from './how-it-came.tsx';
import { ServicesAsked } from './services-asked.tsx';

const cluster = 'lab' as Slug;

/** The text of both panels on a cluster without recorded changes, whose runs are answered so. */
async function textOfPanels(runs: object): Promise<string> {
  provideHost({
    lastChanges: async () => ({ ok: true, value: { changes: [], unknown: [] } }),
    runs: async () => runs,
  } as unknown as Host);
  const panels = [await HowItCame({ cluster }), await ServicesAsked({ cluster, down: 'everywhere', flags: noFlags })];
  return panels.map((panel) => renderToStaticMarkup(panel).replace(/<[^>]*>/g, ' ')).join('\n');
}

test('an outage without any run says so', async () => {
  const text = await textOfPanels({ ok: true, value: { runs: [], leaseHolder: null, drafts: [] } });
  expect(text).toContain('Nothing is recorded: there is no run');
  expect(text).toContain('No answers of nodes are recorded');
  expect(text).not.toContain('Not read');
});

test('an outage whose runs may not be read does not say that there is none', async () => {
  const text = await textOfPanels({ ok: false, code: 'kube.forbidden', message: 'You may not list ConfigMaps.' });
  expect(text.match(/Not read: You may not list ConfigMaps\./g)).toHaveLength(2);
  expect(text).not.toMatch(/there is no run|are recorded/);
});
