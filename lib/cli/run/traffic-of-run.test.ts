import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { clusterSlug } from '#lib/console/host/clusters/cluster-slug.ts';
import { consoleSocket } from '#lib/console/instance/testing/console-socket.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore } from '#lib/kube/index.ts';
import { type Report, trafficFile, writeStateFile } from '#lib/run/index.ts';
import { apply } from '../commands/apply.ts';
import { report } from '../commands/report.ts';
import { runCommand } from '../testing/run-command.ts';
import { trafficOfRun } from './traffic-of-run.ts';

async function anEnv() {
  const folder = testFolder('traffic-of-run');
  const env = { XDG_STATE_HOME: folder, HOME: folder };
  return { env, state: await stateFolder(env) };
}

const changes = (from: string): ChangesOfRun => ({
  pairs: [
    {
      state: 'denied',
      from,
      to: 'payments/ledger-db',
      protocol: 'TCP',
      port: 5432,
      connections: 9,
      seen: 3600,
      why: 'Denied at the destination.',
      query: '',
    },
  ],
  talked: 12,
  untold: 0,
  before: { since: 0, until: 3600 },
  since: { since: 3600, until: 4200 },
  secondsBefore: 3600,
  secondsSince: 600,
  isCut: false,
});

const keep = async (state: string, slug: string, run: string, from: string) =>
  writeStateFile(trafficFile(state, slug, run), {
    apiVersion: 'signalbox.dev/v1',
    kind: 'TrafficOfRun',
    changes: changes(from),
  });

test('a report tells in each format what flows said of its run, and nothing where nothing is known', async () => {
  const { env, state } = await anEnv();
  const on = ['--sandbox=standard', '--instant'];
  const doubts = ['endpoint.reachable', 'endpoint.certificate', 'not-measured', 'proxy.comes-back'];
  const answers = [
    '--goal=enable',
    '--endpoint=api.sandbox.example:6443',
    '--fix=operator.dns-deadlock',
    ...doubts.map((check) => `--acknowledge=${check}=a sandbox`),
  ];
  expect(await runCommand(apply, [...on, ...answers, '--yes'], 100, env)).toMatchObject({ code: 0 });
  const reportIn = async (...format: string[]) => (await runCommand(report, [...on, ...format], 100, env)).out;
  const bare = JSON.parse(await reportIn('-o', 'json'));
  expect(bare).not.toHaveProperty('traffic');
  expect(await reportIn()).not.toContain('## Traffic before and since');

  await keep(state, clusterSlug('sandbox', 'standard'), bare.run, 'shop/checkout');
  const { traffic, ...rest } = JSON.parse(await reportIn('-o', 'json'));
  expect([traffic, rest]).toEqual([changes('shop/checkout'), bare]);
  expect(parse(await reportIn('-o', 'yaml')).traffic).toEqual(changes('shop/checkout'));
  expect(await reportIn()).toMatch(
    /^## Traffic before and since$[\s\S]*^\| denied \| shop\/checkout \| payments\/ledger-db \|/m,
  );
});

test('where flow logs are on and nobody recorded them, the report says so beside itself', async () => {
  const { env } = await anEnv();
  const policy = join(env.HOME, 'policy.yaml');
  await writeFile(
    policy,
    'apiVersion: projectcalico.org/v3\nkind: StagedNetworkPolicy\nmetadata: {name: web, namespace: shop}\nspec: {selector: all()}\n',
  );
  const on = ['--sandbox=flow-logs', '--instant'];
  expect(await runCommand(apply, [...on, '--goal=policy', `--policy=${policy}`, '--yes'], 100, env)).toMatchObject({
    code: 0,
  });
  const result = await runCommand(report, [...on, '-o', 'json'], 100, env);
  expect(result).toMatchObject({
    code: 0,
    err: expect.stringContaining('no console of this machine has flows of both'),
  });
  expect(JSON.parse(result.out)).toMatchObject({ goal: 'policy' });
});

const own = { run: '20261123-2021-5a02', startedAt: '', endedAt: '', foreign: null } as unknown as Report;

/** On a live cluster, with a console that answers so. */
async function trafficFrom(answer: Awaited<ReturnType<Parameters<typeof consoleSocket>[0]['trafficFor']>>, of = own) {
  const { env, state } = await anEnv();
  await keep(state, clusterSlug('kubeconfig', 'default'), own.run, 'shop/kept');
  const requests: unknown[] = [];
  const never = () => Promise.reject(new Error('It is not asked here.'));
  const trafficFor = async (...given: unknown[]) => {
    requests.push(given);
    return answer;
  };
  const socket = await consoleSocket({ carryPlan: never, flowsFor: never, serveSandbox: never, trafficFor }, state);
  const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'one' } };
  const store = createStore({ name: 'default', source: 'sandbox' });
  const reachedBy = { kubeconfig: null, context: 'default' };
  const kube = { ...store, source: 'live' as const, reachedBy, get: async () => kubeSystem };
  const given = { env, terminal: { err: () => undefined } } as unknown as Parameters<typeof trafficOfRun>[0];
  try {
    const found = await trafficOfRun(given, { kube } as unknown as Parameters<typeof trafficOfRun>[1], of);
    return { from: found?.pairs.map((pair) => pair.from), requests };
  } finally {
    socket.close();
  }
}

test('the console that has the history is asked which cluster and run is meant, and one that does not answer leaves what was kept', async () => {
  const now = { ok: true as const, traffic: changes('shop/now') };
  expect(await trafficFrom(now)).toEqual({
    from: ['shop/now'],
    requests: [[{ kind: 'kubeconfig', name: 'default' }, own.run, 'one']],
  });
  const refused = { ok: false as const, code: 'flows.other-cluster', message: 'Another cluster.' };
  expect(await trafficFrom(refused)).toMatchObject({ from: ['shop/kept'] });
  expect(await trafficFrom(now, { ...own, foreign: 'Nobody here started it.' })).toEqual({
    from: undefined,
    requests: [],
  });
});
