import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  type Plane,
  type PlatformName,
  platformShapes,
  startControlPlane,
  unexpectedDials,
} from '#e2e/controlplane/index.ts';
import { clusterDifferences, expectSameCluster } from '#e2e/journey/index.ts';
import { connect, type KubeObject, type LiveKube } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { isSettled } from './calico-cluster.ts';
import { comesBackTo } from './comes-back.ts';
import { contentsOf } from './contents.ts';
import { eventually } from './eventually.ts';
import { grant, printedBy } from './printed-roles.ts';
import { mustSignalbox, signalbox, type Workplace } from './signalbox-process.ts';

export type InstallCase = {
  readonly platform: PlatformName;
  readonly version: 'v3.31.4' | 'v3.30.7';
  /** `Iptables`: eBPF is enabled in a separate run, which is undone first. */
  readonly dataplane: 'BPF' | 'Iptables';
  /** The plan cannot turn the proxy off. */
  readonly proxy?: 'stays';
  /** Writes the release's files into a folder, if they are not the public ones. */
  readonly sourceIn?: (folder: string, version: string) => Promise<string>;
  /** Operations that this platform has and others do not. */
  readonly has?: readonly string[];
  /** Run by a user with only the permissions that `signalbox rbac` prints. Absent: by the administrator. */
  readonly by?: 'applicant';
};

/**
 * Installs Calico and undoes it with the real program and the published files, on clusters of several platforms. At the end all objects are compared with the empty
 * cluster. Cases run one after the other, because test files already run in parallel.
 */
export function testInstalls(cases: readonly InstallCase[]): void {
  test.each(cases)('$version on $platform, beginning with $dataplane', { timeout: patienceMs }, async (one) => {
    const plane = await startControlPlane({ kind: 'empty', platform: one.platform, like: one.version });
    const kube = await connect({ kubeconfig: plane.kubeconfig });
    const cwd = mkdtempSync(join(tmpdir(), 'signalbox-install-'));
    try {
      await journey(one, plane, kube, cwd);
    } finally {
      await kube.close();
      await plane.stop();
      rmSync(cwd, { recursive: true, force: true });
    }
  });
}

async function journey(one: InstallCase, plane: Plane, kube: LiveKube, cwd: string): Promise<void> {
  const administrator: Workplace = { kubeconfig: plane.kubeconfig, stateHome: join(cwd, 'state'), cwd };
  mkdirSync(administrator.stateHome);
  const workplace =
    one.by === undefined ? administrator : { ...administrator, kubeconfig: plane.kubeconfigFor(one.by) };
  if (one.by !== undefined) await grant(plane, one.by, await printedBy(administrator, 'install'));
  const env = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
  const run = (...args: string[]) => mustSignalbox(workplace, [...args, '-o', 'json'], env);
  const before = await standing(kube);
  const source = await one.sourceIn?.(join(cwd, 'source'), one.version);

  await plan(workplace, { ...answers('install', one), ...(source === undefined ? {} : { source }) }, env);
  expectSameCluster(before, await contentsOf(kube));
  await run('apply', 'plan.json', '--yes');
  await eventually('Calico to stand still', () => isSettled(plane), { everyMs: 250 });
  expect(await dataplaneOf(kube)).toEqual({ bpf: one.dataplane === 'BPF', version: one.version });
  const planned = operationIds.parse(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).operations;
  expect(planned.map(({ id }) => id)).toEqual(expect.arrayContaining([...(one.has ?? [])]));
  expect(await endpointOf(kube)).toBe(platformShapes[one.platform].endpoint);
  const [install] = runList.parse(JSON.parse((await run('runs')).out)).runs;

  if (one.dataplane === 'Iptables') {
    const standard = await standing(kube);
    await plan(workplace, answers('enable', one), env);
    await run('apply', 'plan.json', '--yes');
    expect(await dataplaneOf(kube)).toEqual({ bpf: true, version: one.version });
    await run('undo', '--yes');
    await eventually('Calico to stand still', () => isSettled(plane), { everyMs: 250 });
    await comesBackTo(standard, () => contentsOf(kube));
  }

  await run('undo', install?.run ?? '', '--yes');
  await comesBackTo(
    before.filter((object) => !isOfCalicoSystem(object)),
    () => standing(kube),
  );
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
}

/** A journey there and back takes one to two minutes on a quiet machine. */
const patienceMs = 600_000;

/** Whether it belongs to calico-system: if the user created that namespace for Roles, the operator adopts it and deletes it with Calico. */
function isOfCalicoSystem({ kind, metadata }: KubeObject): boolean {
  return (
    metadata.namespace === names.calicoNamespace || (kind === 'Namespace' && metadata.name === names.calicoNamespace)
  );
}

const runList = z.object({ runs: z.array(z.object({ run: z.string() })) });

/** The objects of a settled cluster: all Deployments run, and nothing has changed for a second. */
async function standing(kube: LiveKube): Promise<KubeObject[]> {
  let last: KubeObject[] = [];
  await eventually('the cluster to stand still', async () => {
    const seen = last;
    await sleep(1_000);
    last = await contentsOf(kube);
    return last.every(hasItsReplicas) && clusterDifferences(seen, last).length === 0;
  });
  return last;
}

function hasItsReplicas({ kind, spec, status }: KubeObject): boolean {
  return kind !== 'Deployment' || Object(status).readyReplicas === Object(spec).replicas;
}

const findings = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      severity: z.string(),
      remedy: z.object({ autofix: z.string().nullish() }).nullish(),
    }),
  ),
});

/** Plans like an administrator who accepts unknowns and warnings, and fixes blocking findings. */
async function plan(workplace: Workplace, choices: Record<string, unknown>, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(workplace.cwd, 'choices.yaml');
  writeFileSync(file, stringify(choices));
  const checked = await signalbox(workplace, ['check', '--choices', file, '-o', 'json'], env);
  expect(checked.out, checked.err).not.toBe('');
  const found = findings.parse(JSON.parse(checked.out)).findings;
  const open = found.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity === 'warning'),
  );
  const fix = found
    .filter(({ status, severity, remedy }) => status === 'fail' && severity === 'blocking' && remedy?.autofix)
    .map(({ id }) => id);
  const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'known on this test cluster']));
  writeFileSync(file, stringify({ ...choices, fix, acknowledge }));
  await mustSignalbox(workplace, ['plan', '--choices', file, '--out', 'plan.json'], env);
}

function answers(goal: 'install' | 'enable', { platform, version, dataplane, proxy }: InstallCase) {
  const { endpoint } = platformShapes[platform];
  const colon = endpoint.lastIndexOf(':');
  return {
    goal,
    endpoint: { host: endpoint.slice(0, colon), port: endpoint.slice(colon + 1) },
    ...(goal === 'install' ? { release: version, dataplane, ...(proxy === 'stays' ? { keepProxy: true } : {}) } : {}),
    acceptProposals: true,
  };
}

const operationIds = z.object({ operations: z.array(z.object({ id: z.string() })) });

/** The address by which agents reach the API server. */
async function endpointOf(kube: LiveKube): Promise<string> {
  const { namespace, name } = { namespace: names.operatorNamespace, name: names.endpointConfigMap };
  const data = Object((await kube.get({ resource: resources.configMaps, namespace, name }))?.data);
  return `${data[names.endpointHostKey]}:${data[names.endpointPortKey]}`;
}

async function dataplaneOf(kube: LiveKube) {
  const [felix, installation] = await Promise.all([
    kube.get({ resource: resources.felixConfigurations, name: names.felixConfiguration }),
    kube.get({ resource: resources.installations, name: names.installation }),
  ]);
  return {
    bpf: Object(felix?.spec).bpfEnabled as unknown,
    version: Object(installation?.status).calicoVersion as unknown,
  };
}
