import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consoleSocket } from '#lib/console/instance/testing/console-socket.ts';
import { parseQuery } from '#lib/flows/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { createStore } from '#lib/kube/index.ts';
import { keptFlows } from './kept-flows.ts';

test('the console is told which cluster is meant, and one that means another leaves the hour of the aggregator', async () => {
  const env = { XDG_STATE_HOME: await mkdtemp(join(tmpdir(), 'kept-flows-')) };
  const asked: unknown[] = [];
  const never = () => Promise.reject(new Error('It is not asked here.'));
  const socket = await consoleSocket(
    {
      carryPlan: never,
      serveSandbox: never,
      flowsFor: async (...given) => {
        asked.push(given);
        return { ok: false, code: 'flows.other-cluster', message: 'Another cluster.' };
      },
    },
    await stateFolder(env),
  );
  const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'one' } };
  const reachedBy = { kubeconfig: null, context: 'default' };
  const store = createStore({ name: 'default', source: 'sandbox' });
  const kube = { ...store, source: 'live' as const, reachedBy, get: async () => kubeSystem };
  const said: string[] = [];
  const terminal = { err: (line: string) => said.push(line) };
  const given = { env, terminal } as unknown as Parameters<typeof keptFlows>[0];
  const cluster = { kube } as unknown as Parameters<typeof keptFlows>[1];
  expect(await keptFlows(given, cluster, parseQuery('since:2h').query)).toBeNull();
  expect(asked).toEqual([[{ kind: 'kubeconfig', name: 'default' }, 'since:2h', 'one']]);
  expect(said).toEqual(['Calico keeps an hour of flows, and this is all of it: Another cluster.']);
  socket.close();
});
