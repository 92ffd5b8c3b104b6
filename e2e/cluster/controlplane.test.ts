import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agentLog,
  holdMark,
  type KubeObject,
  kubeletMark,
  nodeAddress,
  type Plane,
  setAnswer,
  startControlPlane,
  unexpectedDials,
} from '#e2e/controlplane/index.ts';
import { isAlive } from '#lib/base/process-identity.ts';
import { agentMark } from '#lib/sandbox/parts.ts';
import { felixLines } from '#lib/spec/index.ts';
import { eventually } from './testing/eventually.ts';

const run = promisify(execFile);
let plane: Plane;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'standard', like: 'none', nodes: 3 });
  await plane.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'calico-system' } });
  await plane.api.apply(agentDaemonSet(1));
  await eventually('every agent to run', () => rolledOut(3));
});

afterAll(async () => {
  await plane?.stop();
});

describe('the plane', () => {
  test('serves the pinned version', async () => {
    expect(await plane.api.get('/version')).toMatchObject({ gitVersion: 'v1.36.3' });
  });

  test('keeps the addresses and the system information that nodes were given', async () => {
    const nodes = await plane.api.list('/api/v1/nodes');
    expect(nodes.map(({ metadata }) => metadata.name)).toEqual(['control-1', 'worker-1', 'worker-2']);
    for (const [i, node] of nodes.entries()) {
      expect(node.status).toMatchObject({
        addresses: [{ type: 'InternalIP', address: nodeAddress(i + 1) }, { type: 'Hostname' }],
        nodeInfo: { kernelVersion: '6.8.0-45-generic', osImage: 'Ubuntu 24.04.1 LTS' },
      });
    }
  });

  test('gives running containers what a kubelet gives them', async () => {
    const [pod] = await podsOn('worker-1', 'calico-system');
    expect(pod?.status).toMatchObject({
      hostIP: nodeAddress(2),
      podIP: nodeAddress(2),
      containerStatuses: [
        {
          containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
          state: { running: { startedAt: expect.any(String) } },
        },
      ],
    });
  });

  test('lets users do what they were given and nothing more', async () => {
    const may = async (user: 'reader' | 'stranger', ...words: string[]) =>
      (await kubectl(['auth', 'can-i', ...words], user)).trim();
    expect(await may('reader', 'list', 'nodes')).toBe('yes');
    expect(await may('reader', 'get', 'installations.operator.tigera.io')).toBe('yes');
    expect(await may('reader', 'patch', 'nodes')).toBe('no');
    expect(await may('stranger', 'list', 'nodes')).toBe('no');
  });

  test('refuses every dial that is not a node, and logs it', async () => {
    expect(unexpectedDials(plane.egressLog())).toEqual([]);
    const answer = plane.api.text('/api/v1/namespaces/kube-system/services/kube-dns:metrics/proxy/metrics');
    await expect(answer).rejects.toThrow(/50[0-9]|Forbidden/);
    expect(unexpectedDials(plane.egressLog()).map(({ target }) => target)).toEqual([
      expect.stringMatching(/^192\.168\.\d+\.\d+:9153$/),
    ]);
  });
});

describe('pretended nodes', () => {
  test('serve the log of a container, from a time on and up to a size', async () => {
    const [pod] = await podsOn('worker-1', 'calico-system');
    const log = agentLog(plane.dir, 'worker-1');
    log.startAnew();
    log.append('long ago', new Date('2026-01-01T00:00:00Z'));
    log.append('at noon', new Date('2026-01-02T12:00:00.500Z'));
    log.append('later', new Date('2026-01-02T13:00:00Z'));
    const path = `/api/v1/namespaces/calico-system/pods/${pod?.metadata.name}/log?container=calico-node`;
    expect(await plane.api.text(path)).toBe('long ago\nat noon\nlater\n');
    expect(await plane.api.text(`${path}&sinceTime=2026-01-02T12:00:00Z`)).toBe('at noon\nlater\n');
    expect(await plane.api.text(`${path}&sinceTime=2026-01-02T12:00:01Z`)).toBe('later\n');
    expect(await plane.api.text(`${path}&limitBytes=11`)).toBe('long ago\nat');
    expect(await plane.api.text(`${path}&tailLines=1`)).toBe('later\n');
    expect(await plane.api.text(`${path}&sinceTime=2026-01-03T00:00:00Z`)).toBe('');
  });

  test('follow a log', async () => {
    const [pod] = await podsOn('worker-2', 'calico-system');
    const log = agentLog(plane.dir, 'worker-2');
    const args = ['logs', '-f', '-n', 'calico-system', pod?.metadata.name ?? '', '--since=1s'];
    const follower = spawn(plane.binaries.kubectl, args, { env: plane.env });
    let heard = '';
    follower.stdout.on('data', (chunk) => {
      heard += String(chunk);
    });
    // Written repeatedly, because the follower gets no line that is more than a second older than its start.
    await eventually('the follower to hear anything', async () => {
      log.append('written until it listens');
      return heard.includes('written until it listens\n');
    });
    log.append('written while followed');
    await eventually('the follower to hear more', async () => heard.includes('written while followed\n'));
    follower.kill();
  });

  test('answer the commands that have an answer, and run none', async () => {
    const [pod] = await podsOn('worker-1', 'kube-system', 'kube-proxy');
    const name = pod?.metadata.name ?? '';
    await eventually('rules of kube-proxy', async () =>
      (await exec(name, 'iptables-save', '-t', 'nat')).includes('-j KUBE-SVC-NPX46M4PTMTKRN6Y'),
    );
    await expect(exec(name, 'id')).rejects.toThrow(/"id": executable file not found/);
    setAnswer(plane.dir, 'worker-1', 'kube-proxy', ['id'], 'uid=0(root)\n');
    expect(await exec(name, 'id')).toBe('uid=0(root)\n');
  });

  test('tell when their kube-proxy wrote its rules', async () => {
    const [pod] = await podsOn('worker-1', 'kube-system', 'kube-proxy');
    const health = `/api/v1/namespaces/kube-system/pods/${pod?.metadata.name}:10256/proxy/healthz`;
    await eventually('kube-proxy to tell', async () =>
      /"lastUpdated":"2\d{3}-\d\d-\d\d /.test(await plane.api.text(health)),
    );
  });

  test('hold their pods back when asked to, and let them go', async () => {
    await annotateNode('worker-2', { [holdMark]: 'true' });
    await eventually('KWOK to know', async () => plane.state().sentence.includes('held on worker-2'));
    await plane.api.apply(agentDaemonSet(2));
    const isHeld = async () => JSON.stringify(await pendingOn()) === '["worker-2"]';
    await eventually('worker-2 alone to hold the rollout up', isHeld);
    await sleep(2000);
    expect(await pendingOn()).toEqual(['worker-2']);
    await annotateNode('worker-2', { [holdMark]: null });
    await eventually('every agent to run', () => rolledOut(3));
  });

  test('become NotReady when their kubelet stops, and Ready again', async () => {
    await annotateNode('worker-1', { [kubeletMark]: 'stopped' });
    await eventually('worker-1 to be away', async () => (await readiness('worker-1')) === 'Unknown');
    await annotateNode('worker-1', { [kubeletMark]: null });
    await eventually('worker-1 to be back', async () => (await readiness('worker-1')) === 'True');
  });

  test('can be added while the plane runs', async () => {
    await plane.addNodes([{ name: 'old-1', number: 4, kernel: '4.18.0-147.el8.x86_64', osImage: 'Rocky Linux 8.1' }]);
    await eventually('old-1 to be there', async () => (await readiness('old-1')) === 'True');
    await eventually('every agent to run', () => rolledOut(4));
  });
});

test('agents follow FelixConfiguration: on, refused, silent', async () => {
  await annotateNode('worker-1', { [agentMark]: 'refuses' });
  await annotateNode('worker-2', { [agentMark]: 'silent' });
  await plane.api.apply({
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: 'default' },
    spec: { bpfEnabled: true, bpfKubeProxyIptablesCleanupEnabled: false },
  });
  const printedBy = async (node: string) => {
    const [pod] = await podsOn(node, 'calico-system');
    return plane.api.text(`/api/v1/namespaces/calico-system/pods/${pod?.metadata.name}/log?container=calico-node`);
  };
  await eventually('control-1 to say so', async () => (await printedBy('control-1')).includes(felixLines.bpfEnabled));
  await eventually('worker-1 to refuse', async () => (await printedBy('worker-1')).includes(felixLines.bpfRefused));
  await sleep(500);
  expect(await printedBy('worker-2')).not.toMatch(/BPF enabled|not supported/);
  expect(await printedBy('control-1')).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[INFO\]\[\d+\] felix\/int_dataplane\.go \d+: BPF enabled, starting/m,
  );
});

test('agents start again when any of their settings changes, as Felix does', async () => {
  const [pod] = await podsOn('control-1', 'calico-system');
  const path = `/api/v1/namespaces/calico-system/pods/${pod?.metadata.name}/log?container=calico-node`;
  const starts = async () => (await plane.api.text(path)).split('Felix starting up').length - 1;
  const before = await starts();
  await plane.api.patch('/apis/crd.projectcalico.org/v1/felixconfigurations/default', {
    spec: { bpfKubeProxyIptablesCleanupEnabled: true },
  });
  await eventually('the agent to start again', async () => (await starts()) > before);
});

test('the API server can be stopped, and comes back with its data', async () => {
  await plane.stopApiServer();
  expect(await plane.api.isReady()).toBe(false);
  await plane.startApiServer();
  expect(await plane.api.get('/apis/crd.projectcalico.org/v1/felixconfigurations/default')).toMatchObject({
    spec: { bpfEnabled: true },
  });
});

test('nothing outlives a plane whose parent is killed', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', parentThatHangs], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: new URL('../..', import.meta.url),
  });
  const [output] = await once(parent.stdout, 'data');
  const { supervisor, processes } = JSON.parse(String(output)) as { supervisor: number; processes: number[] };
  parent.kill('SIGKILL');
  await eventually('every process to end', async () => [supervisor, ...processes].every((pid) => !isAlive({ pid })));
});

const parentThatHangs = `
  import { startControlPlane } from '#e2e/controlplane/index.ts';
  const plane = await startControlPlane({ kind: 'bare', nodes: 1 });
  console.log(JSON.stringify({ supervisor: plane.supervisorPid, processes: plane.state().processes.map(({ pid }) => pid) }));
  setInterval(() => {}, 1000);
`;

async function kubectl(args: readonly string[], user: 'admin' | 'reader' | 'stranger'): Promise<string> {
  const env = { ...plane.env, KUBECONFIG: plane.kubeconfigFor(user) };
  // `auth can-i` answers "no" with exit code 1.
  const { stdout } = await run(plane.binaries.kubectl, [...args], { env }).catch((error) => {
    if (args[0] === 'auth') return error as { stdout: string };
    throw error;
  });
  return stdout;
}

async function exec(pod: string, ...command: string[]): Promise<string> {
  return kubectl(['-n', 'kube-system', 'exec', pod, '--', ...command], 'admin');
}

/** Nodes whose agent has not become ready. */
async function pendingOn(): Promise<string[]> {
  const pods = await plane.api.list('/api/v1/namespaces/calico-system/pods');
  return pods
    .filter(({ status }) => (status as { phase: string }).phase === 'Pending')
    .map(({ spec }) => (spec as { nodeName: string }).nodeName);
}

async function podsOn(node: string, namespace: string, app = 'calico-node'): Promise<readonly KubeObject[]> {
  const selector = `labelSelector=k8s-app%3D${app}&fieldSelector=spec.nodeName%3D${node}`;
  return plane.api.list(`/api/v1/namespaces/${namespace}/pods?${selector}`);
}

type DaemonSetStatus = {
  readonly observedGeneration: number;
  readonly updatedNumberScheduled: number;
  readonly numberAvailable: number;
  readonly desiredNumberScheduled: number;
};

async function daemonSet(): Promise<DaemonSetStatus & { generation: number }> {
  const found = await plane.api.get('/apis/apps/v1/namespaces/calico-system/daemonsets/calico-node');
  const { generation } = found.metadata as unknown as { generation: number };
  const status = found.status as DaemonSetStatus;
  // Before the controller has seen the generation, what the status counts is the one before.
  return status.observedGeneration === generation
    ? { ...status, updatedNumberScheduled: status.updatedNumberScheduled ?? 0, generation }
    : { ...status, updatedNumberScheduled: 0, generation };
}

async function rolledOut(count: number): Promise<boolean> {
  const { updatedNumberScheduled, numberAvailable, desiredNumberScheduled } = await daemonSet();
  return desiredNumberScheduled === count && updatedNumberScheduled === count && numberAvailable === count;
}

async function readiness(node: string): Promise<string | undefined> {
  const { status } = await plane.api.get(`/api/v1/nodes/${node}`);
  const { conditions } = status as { conditions?: { type: string; status: string }[] };
  return conditions?.find(({ type }) => type === 'Ready')?.status;
}

async function annotateNode(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  await plane.api.patch(`/api/v1/nodes/${name}`, { metadata: { annotations } });
}

function agentDaemonSet(revision: number): KubeObject {
  const labels = { 'k8s-app': 'calico-node' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'calico-system', name: 'calico-node' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { revision: String(revision) } },
        spec: {
          hostNetwork: true,
          tolerations: [{ operator: 'Exists' }],
          initContainers: [{ name: 'install-cni', image: 'quay.io/calico/cni:v3.31.4' }],
          containers: [{ name: 'calico-node', image: 'quay.io/calico/node:v3.31.4' }],
        },
      },
    },
  };
}
