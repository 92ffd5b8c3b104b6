import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStore, KubeError } from '#lib/kube/index.ts';
import { aCluster, serveStore } from '#lib/sandbox/index.ts';

export type AwkwardCluster = { readonly kubeconfig: string; close(): Promise<void> };

/** A healthy cluster whose API server refuses some lists (`refused`: plurals) and objects (`hidden`), or answers lists slowly. */
export async function awkwardCluster(
  name: string,
  {
    refused = [],
    hidden = [],
    answersAfterMs = 0,
  }: { refused?: readonly string[]; hidden?: readonly string[]; answersAfterMs?: number },
): Promise<AwkwardCluster> {
  const store = createStore({ name, source: 'sandbox', objects: aCluster({ now: Date.now() }) });
  store.intercept(async ({ verb, group = '', resource = '' }, proceed) => {
    if ((verb === 'list' && refused.includes(resource)) || (verb === 'get' && hidden.includes(resource)))
      throw new KubeError('forbidden', `${resource} is forbidden`, { status: 403, rule: { verb, group, resource } });
    if (verb === 'list') await sleep(answersAfterMs);
    await proceed();
  });
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-awkward-'));
  const served = await serveStore(store, { name, kubeconfig: join(folder, 'kubeconfig') });
  return {
    kubeconfig: served.kubeconfig,
    close: async () => {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
