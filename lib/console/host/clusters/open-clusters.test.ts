import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { instantClock, KubeError } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import type { ClusterEntry } from '../../host.ts';
import { standard, until } from '../testing/a-page.ts';
import { clusterCatalogue } from './cluster-catalogue.ts';
import { clusterSlug } from './cluster-slug.ts';
import { type OpenClusters, openClusters } from './open-clusters.ts';

let clusters: OpenClusters | null = null;
afterEach(() => clusters?.close());

type Opened = { entry: ClusterEntry; closed: boolean };

async function some(options: { idleMs?: number; server?: () => string; fails?: () => boolean } = {}) {
  const stateFolder = testFolder('open-clusters');
  const opened: Opened[] = [];
  const env = { HOME: stateFolder };
  const catalogue = clusterCatalogue({ env, kubeconfig: undefined, stateFolder });
  const live: ClusterEntry = {
    slug: clusterSlug('kubeconfig', 'live'),
    name: 'live',
    kind: 'kubeconfig',
    server: 'here:6443',
    kubeconfig: null,
    current: true,
    shows: null,
    group: null,
    kept: false,
    warnings: [],
    notAsked: null,
    problem: null,
  };
  clusters = openClusters({
    catalogue: {
      all: catalogue.all,
      find: async (slug) =>
        slug === live.slug ? { ...live, server: options.server?.() ?? live.server } : catalogue.find(slug),
    },
    env,
    kubeconfig: undefined,
    stateFolder,
    sandboxSpeed: 'instant',
    idleMs: options.idleMs ?? 20,
    log: () => undefined,
    openLive: async (entry) => {
      if (options.fails?.()) throw new KubeError('credentials', 'the plug-in failed');
      const one = { entry, closed: false };
      opened.push(one);
      const { kube } = await openSandbox('standard', { speed: 'instant' });
      return {
        kube,
        clock: instantClock(),
        close: async () => {
          one.closed = true;
        },
      };
    },
  });
  return { clusters, opened, live: live.slug, stateFolder };
}

test('one connection for all who use it at once; closed a while after the last, opened again for the next', async () => {
  const { clusters, opened, live } = await some();
  const [one, two] = await Promise.all([clusters.acquire(live), clusters.acquire(live)]);
  expect(opened).toHaveLength(1);
  expect(one.kube).toBe(two.kube);
  one.release();
  one.release();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(opened[0]?.closed).toBe(false);
  two.release();
  await until('it is closed', async () => opened[0]?.closed === true);
  (await clusters.acquire(live)).release();
  expect(opened).toHaveLength(2);
});

test('who comes within the while finds it open', async () => {
  const { clusters, opened, live } = await some({ idleMs: 200 });
  (await clusters.acquire(live)).release();
  const again = await clusters.acquire(live);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(opened).toMatchObject([{ closed: false }]);
  again.release();
});

test('a context that leads elsewhere now is opened anew; who uses the old one keeps it until they are done', async () => {
  let server = 'here:6443';
  const { clusters, opened, live } = await some({ server: () => server });
  const old = await clusters.acquire(live);
  server = 'there:6443';
  const next = await clusters.acquire(live);
  expect(opened.map(({ entry }) => entry.server)).toEqual(['here:6443', 'there:6443']);
  expect(opened.map(({ closed }) => closed)).toEqual([false, false]);
  old.release();
  await until('the old one is closed', async () => opened[0]?.closed === true);
  expect(opened[1]?.closed).toBe(false);
  next.release();
});

test('what cannot be opened is tried again by the next who asks', async () => {
  let fails = true;
  const { clusters, live } = await some({ fails: () => fails });
  await expect(clusters.acquire(live)).rejects.toMatchObject({ code: 'credentials' });
  fails = false;
  (await clusters.acquire(live)).release();
});

test('an idle sandbox is given back to other processes', async () => {
  const { clusters, stateFolder } = await some();
  const used = await clusters.acquire(standard);
  const other = () => openSandbox('standard', { speed: 'instant', state: stateFolder });
  await expect(other()).rejects.toMatchObject({ code: 'conflict' });
  used.release();
  await until('it is free', async () => !clusters.isOpen(standard));
  await until('others get it', async () => {
    const sandbox = await other().catch(() => null);
    await sandbox?.close();
    return sandbox !== null;
  });
});

test('who watches a sandbox that is closed under them is told, and who opens it waits', async () => {
  const { clusters } = await some();
  const used = await clusters.acquire(standard);
  const watching = (async () => {
    for await (const _ of used.kube.watch({
      group: '',
      version: 'v1',
      kind: 'Node',
      plural: 'nodes',
      namespaced: false,
    }));
    return 'ended';
  })().catch((error: unknown) => error);
  const order: string[] = [];
  const [, again] = await Promise.all([
    clusters.whileClosed(standard, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push('worked');
    }),
    clusters.acquire(standard).then((opened) => {
      order.push('opened');
      return opened;
    }),
  ]);
  await watching;
  expect(order).toEqual(['worked', 'opened']);
  expect(again.kube).not.toBe(used.kube);
  used.release();
  again.release();
});
