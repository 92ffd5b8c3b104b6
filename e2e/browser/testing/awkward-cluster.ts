import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStore, KubeError } from '#lib/kube/index.ts';
import { aCluster, serveStore } from '#lib/sandbox/index.ts';

const reader = { name: 'reader', rules: [{ verbs: ['get', 'list', 'watch'], groups: ['*'], resources: ['*'] }] };

export type AwkwardCluster = { readonly kubeconfig: string; close(): Promise<void> };

/**
 * A healthy cluster whose API server refuses some lists (`refused`: plurals) and objects (`hidden`), or answers lists slowly. `may`: what the account of its
 * kubeconfig may do. `differs`: how the cluster differs from the standard one.
 */
export async function awkwardCluster(
  name: string,
  {
    refused = [],
    hidden = [],
    answersAfterMs = 0,
    may = 'everything',
    differs = {},
  }: {
    refused?: readonly string[];
    hidden?: readonly string[];
    answersAfterMs?: number;
    may?: 'everything' | 'read';
    differs?: Omit<Parameters<typeof aCluster>[0], 'now'>;
  },
): Promise<AwkwardCluster> {
  const store = createStore({ name, source: 'sandbox', objects: aCluster({ now: Date.now(), ...differs }) });
  store.intercept(async ({ verb, group = '', resource = '' }, proceed) => {
    if ((verb === 'list' && refused.includes(resource)) || (verb === 'get' && hidden.includes(resource)))
      throw new KubeError('forbidden', `${resource} is forbidden`, { status: 403, rule: { verb, group, resource } });
    if (verb === 'list') await sleep(answersAfterMs);
    await proceed();
  });
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-awkward-'));
  const seen = may === 'read' ? { ...store, ...store.as(reader) } : store;
  const served = await serveStore(seen, { name, kubeconfig: join(folder, 'kubeconfig') });
  return {
    kubeconfig: served.kubeconfig,
    close: async () => {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
