import { afterEach, expect, test } from 'vitest';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { type Kube, KubeError, systemClock } from '#lib/kube/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import type { Draft, PreflightState } from '../host.ts';
import type { OpenClusters, UsedCluster } from './clusters/open-clusters.ts';
import { openPreflights } from './preflights.ts';
import { type AConsole, aConsole, closeConsoles } from './testing/a-console.ts';

afterEach(closeConsoles);

const offerOf = async ({ host }: AConsole, slug: string, draft: string) => {
  const state = await host.preflight(slug, draft);
  if (!state.ok) throw new Error(state.message);
  return state.value;
};
const digestOf = ({ offer }: PreflightState) => (offer.kind === 'offered' ? offer.digest : '');

async function aDraft(made: AConsole, name: string) {
  const slug = (await made.host.clusters()).find((one) => one.name === name)?.slug ?? '';
  const draft = await made.host.createDraft(slug, 'enable', 'accepted');
  if (!draft.ok) throw new Error(draft.message);
  return { slug, draft: draft.value.id };
}

/** The events of the stream until its test has ended. */
async function untilEnded(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('event: ended')) break;
  }
  return text;
}

test('nodes are tested as it was shown, told one by one, and the cluster is read anew', async () => {
  const made = await aConsole();
  const { slug, draft } = await aDraft(made, 'standard');
  const shown = await offerOf(made, slug, draft);
  expect(shown).toMatchObject({
    offer: { kind: 'offered', nodes: 6, makes: expect.stringContaining('two pods, one of them privileged,') },
    view: null,
  });
  expect(JSON.stringify(shown.offer)).toContain('hostPID: true');
  const before = await made.host.assess(slug, draft, 'kept');
  expect(await made.host.startPreflight(slug, draft, digestOf(shown))).toMatchObject({ ok: true });
  const events = await untilEnded(made.host.preflightEvents(slug, null, new AbortController().signal));
  expect(events.match(/event: node/g)?.length).toBe(6);
  const { view } = await offerOf(made, slug, draft);
  expect(view).toMatchObject({ ended: { because: null, left: null } });
  expect([...(view?.reported ?? [])].sort()).toEqual([...(view?.nodes ?? [])].sort());
  const after = await made.host.assess(slug, draft, 'kept');
  const readAt = (one: typeof after) => (one.ok ? one.value.facts.observedAt : one.message);
  expect(readAt(after)).not.toBe(readAt(before));
});

test('what nobody was shown is not made', async () => {
  const made = await aConsole();
  const { slug, draft } = await aDraft(made, 'standard');
  expect(await made.host.startPreflight(slug, draft, 'of-another')).toMatchObject({ code: 'preflight.changed' });
  expect((await offerOf(made, slug, draft)).view).toBeNull();
});

test('a test that is stopped says so, and leaves what was measured before', async () => {
  const made = await aConsole();
  const { slug, draft } = await aDraft(made, 'standard');
  await made.host.startPreflight(slug, draft, digestOf(await offerOf(made, slug, draft)));
  await made.host.stopPreflight(slug);
  await untilEnded(made.host.preflightEvents(slug, null, new AbortController().signal));
  expect((await offerOf(made, slug, draft)).view?.ended?.because).toMatch(/stopped/);
});

const { monotonic } = systemClock;

/** Preflights of one cluster, each of which runs until it is stopped. `end`: the error with which it ends then. */
function tests(end: Error, { source = 'sandbox', allowed }: Partial<Pick<Kube, 'source' | 'allowed'>> = {}) {
  const kube = {
    source,
    ...(allowed ? { allowed } : {}),
    measureNodes: (_endpoint, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(end))),
  } as Partial<Kube> as Kube;
  const nothing = { ...aFacts().installation, method: 'none' } as const;
  const preflights = openPreflights({
    clusters: {
      using: async (_cluster, work) => work({ kube, clock: systemClock } as UsedCluster),
    } as Partial<OpenClusters> as OpenClusters,
    assess: async ({ answers }) => ({
      facts: aFacts({ installation: nothing }),
      choices: choicesSchema.parse(answers),
    }),
    onMeasured: () => {},
    ...{ stateFolder: '/nowhere', now: Date.now, monotonic, signal: new AbortController().signal, log: () => {} },
  });
  const offer = async (registry: string) => {
    const answers = { goal: 'install', release: 'v3.31.4', set: { registry } };
    return digestOf(await preflights.state({ cluster: 'one', answers } as unknown as Draft));
  };
  return { preflights, offer };
}

test('one that is under way is joined by whoever asks for the same, and by nobody who asks for another', async () => {
  const { preflights, offer } = tests(new KubeError('aborted', 'stopped'));
  const [first, again, other] = [await offer('a.example/'), await offer('a.example/'), await offer('b.example/')];
  preflights.start('one', first);
  preflights.start('one', again);
  expect(() => preflights.start('one', other)).toThrow(expect.objectContaining({ code: 'preflight.changed' }));
  preflights.stop('one');
  await preflights.settled();
});

test('a test that is stopped and cannot be removed says what is left, and not that it is gone', async () => {
  const left = 'Namespace signalbox-probe could not be deleted';
  const { preflights, offer } = tests(Object.assign(new KubeError('aborted', 'stopped'), { left }));
  preflights.start('one', await offer('a.example/'));
  preflights.stop('one');
  await preflights.settled();
  expect(preflights.feed('one').view?.ended).toMatchObject({ because: 'It was stopped.', left });
});

test('rights are asked for once for many pages, and again where one was missing', async () => {
  let [requests, isGranted] = [0, false];
  const allowed: Kube['allowed'] = async (rules) => {
    requests += 1;
    return rules.map((rule) => ({ ...rule, allowed: isGranted }));
  };
  const { offer } = tests(new KubeError('aborted', 'stopped'), { source: 'live', allowed });
  expect([await offer('a.example/'), await offer('a.example/'), requests]).toEqual(['', '', 2]);
  isGranted = true;
  await Promise.all([offer('a.example/'), offer('b.example/')]);
  expect(await offer('a.example/')).not.toBe('');
  expect(requests).toBe(3);
});
