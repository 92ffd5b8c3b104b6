import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeletMark, unexpectedDials } from '#e2e/controlplane/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { eventually } from './testing/eventually.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { signalbox } from './testing/signalbox-process.ts';

/** A cluster that cannot be switched now, live and as its administrator dumps it for somebody else to look at. */
let cluster: CalicoCluster;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 2 });
  await cluster.plane.api.patch('/api/v1/nodes/worker-1', { metadata: { annotations: { [kubeletMark]: 'stopped' } } });
  await eventually('worker-1 to be NotReady', async () => {
    const { status } = await cluster.plane.api.get('/api/v1/nodes/worker-1');
    const { conditions } = status as { conditions: { type: string; status: string }[] };
    return conditions.some(({ type, status }) => type === 'Ready' && status !== 'True');
  });
});

afterAll(async () => {
  await cluster?.stop();
});

test('a node that is not Ready blocks the plan, by name', async () => {
  const checked = await findings(['check', ...readyAnswers()]);
  expect(checked.code).toBe(3);
  expect(checked.all.get('node.ready')).toMatchObject({
    status: 'fail',
    severity: 'blocking',
    subjects: [{ name: 'worker-1' }],
  });
  expect(await signalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('worker-1'),
  });
});

test('what kubectl dumps gives the same findings as the live cluster, except what only a live one can tell', async () => {
  const dump = await dumped();
  const live = await findings(['check', ...readyAnswers()]);
  const offline = await findings(['check', ...readyAnswers(), '--from', dump]);
  const comparable = ({ status, severity, because, subjects }: Finding) => ({ status, severity, because, subjects });
  const different = [...live.all].filter(([id, finding]) => {
    const other = offline.all.get(id);
    return !other || JSON.stringify(comparable(finding)) !== JSON.stringify(comparable(other));
  });
  // Whether one may write is asked of the API server; the endpoint's name is looked up and dialled from the console.
  expect(different.map(([id]) => id).sort()).toEqual([
    'endpoint.certificate',
    'endpoint.reachable',
    'endpoint.resolvable',
    'permissions.plan',
  ]);
  for (const [id] of different) expect(offline.all.get(id)?.status).toBe('unknown');
  expect([...offline.all.keys()]).toEqual([...live.all.keys()]);
  expect(offline.code).toBe(3);
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

type Finding = { id: string; status: string; severity: string; because: string | null; subjects: { name: string }[] };

async function findings(args: readonly string[]): Promise<{ code: number | null; all: Map<string, Finding> }> {
  const { code, out, err } = await signalbox(cluster.workplace, [...args, '-o', 'json']);
  if (!out.startsWith('{')) throw new Error(err);
  const { findings: list } = JSON.parse(out) as { findings: Finding[] };
  return { code, all: new Map(list.map((finding) => [finding.id, finding])) };
}

/** `kubectl get KIND -A -o yaml` of every kind, a file each. */
async function dumped(): Promise<string> {
  const folder = join(cluster.workplace.cwd, 'dump');
  mkdirSync(folder);
  const kubectl = async (...args: string[]) => {
    const options = { env: cluster.plane.env, maxBuffer: 256 * 1024 * 1024 };
    return (await promisify(execFile)(cluster.plane.binaries.kubectl, args, options)).stdout;
  };
  const kinds = (await kubectl('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n');
  for (const kind of kinds) {
    if (kind.startsWith('componentstatuses')) continue;
    writeFileSync(join(folder, `${kind}.yaml`), await kubectl('get', kind, '-A', '-o', 'yaml'));
  }
  return folder;
}
