import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Host, provideHost, type Slug } from '#lib/console/host.ts';
import { noFlags } from '#lib/text/index.ts';
import { HowItCame } from './how-it-came.tsx';
import { ServicesAsked } from './services-asked.tsx';

const cluster = 'lab' as Slug;

/** The text of both panels on a cluster without recorded changes, whose runs are answered so. */
async function textOfPanels(runs: object, run?: Host['run']): Promise<string> {
  provideHost({
    lastChanges: async () => ({ ok: true, value: { changes: [], unknown: [] } }),
    runs: async () => runs,
    run,
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

test('a journal of others that looks newer is a claim, and does not hide the last run of ours', async () => {
  const services = { of: 3, nodes: [{ kinds: [{ kind: 'api', answers: true, openMs: 0, heardAt: 1_000 }] }] };
  const step = {
    title: 'Turn kube-proxy off',
    effect: 'traffic',
    state: 'finished',
    finishedAt: '2026-11-22T09:04:00Z',
  };
  const run = (name: string, foreign: string | null) => ({
    ...{ run: name, goal: 'enable', state: { kind: 'done' }, startedAt: '2026-11-22T09:00:00Z', startedBy: 'a/1@2@3' },
    ...{ unverified: 0, foreign },
  });
  const runs = { ok: true, value: { runs: [run('forged', 'not ours'), run('older', 'not ours'), run('own', null)] } };
  const read = async (_cluster: Slug, name: string) => ({
    ok: true,
    value: {
      view: {
        operations: [{ ...step, title: `${step.title} in ${name}` }],
        services: name === 'own' ? services : null,
      },
    },
  });
  const text = (await textOfPanels(runs, read as unknown as Host['run'])).replaceAll(/\s+/g, ' ');
  expect(text).toContain('started by Signalbox a, process 1 , as its journal claims.');
  expect(text).toContain('started by Signalbox a, process 1 . Enable eBPF is done.');
  expect(text).toContain('Turn kube-proxy off in forged, not verified');
  expect(text).toMatch(/Turn kube-proxy off in own(?!, not verified)/);
  expect(text).not.toContain('in older');
  expect(text).toMatch(/These are the answers during Enable eBPF \. /);
  expect(text).toContain('Services, asked from 1 of 3 nodes');
  expect(text).not.toContain('every node');
});
