import { afterEach, describe, expect, test } from 'vitest';
import { KubeError, type KubeObject, type Store } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { memberAt } from './difference.ts';
import type { Condition } from './installation/installation.ts';
import { refs, tigeraStatusRef } from './reconcile/refs.ts';
import { type EmulatedOperator, emulatedNamed, emulatedOperators } from './releases.ts';
import { type OperatorOptions, OperatorRefused, runOperator } from './run.ts';
import { bpfEnabledOf } from './switch.ts';
import {
  aStage,
  createInstallation,
  endpointConfigMap,
  endpointRef,
  patchInstallation,
  type Stage,
} from './testing/stage.ts';

let stage: Stage;
afterEach(async () => {
  await stage?.close();
});

async function standard(like: EmulatedOperator, objects: readonly KubeObject[] = []): Promise<Stage> {
  stage = await aStage({ objects });
  stage.start(like);
  await createInstallation(stage.kube);
  await stage.pass(40);
  expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
  return stage;
}

function conditionsOf(object: KubeObject | null): Condition[] {
  const all = memberAt(object, 'status', 'conditions');
  return Array.isArray(all) ? (all as Condition[]) : [];
}

async function conditionOf(status: string, type: string): Promise<Condition | undefined> {
  return conditionsOf(await stage.kube.get(tigeraStatusRef(status))).find((one) => one.type === type);
}

const felix = () => stage.kube.get(refs.felix);
const agentEnv = async (): Promise<string | undefined> => {
  const containers = memberAt(await stage.kube.get(refs.calicoNode), 'spec', 'template', 'spec', 'containers');
  const env = Array.isArray(containers) ? (containers[0].env as { name: string; value?: string }[]) : [];
  return env.find((one) => one.name === names.endpointHostKey)?.value;
};

test.each([
  [undefined, 'v3.31.4'],
  ['signalbox', 'v3.31.4'],
  ['v3.30.7', 'v3.30.7'],
  ['none', null],
])('the word %s names %s', (word, named) => {
  expect(emulatedNamed(word)).toBe(named);
});

describe.each(emulatedOperators)('like %s', (like) => {
  test('a standard installation becomes Available, and is left alone then', async () => {
    const { kube, pass } = await standard(like);
    await pass(60);
    const writes: string[] = [];
    const forget = kube.onChange((change) =>
      writes.push(`${change.type} ${change.object.kind}/${change.object.metadata.name}`),
    );
    await pass(60);
    forget();
    expect(writes).toEqual([]);
    expect(bpfEnabledOf(await felix())).toBe(false);
  });

  test('eBPF on and off again ends where it began, residue aside', async () => {
    const { kube, pass } = await standard(like);
    const before = await kube.get(refs.installation);
    await patchInstallation(kube, { linuxDataplane: 'BPF', hostPorts: null });
    await pass(60);
    expect(bpfEnabledOf(await felix())).toBe(true);
    expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
    await patchInstallation(kube, { linuxDataplane: 'Iptables', hostPorts: 'Enabled' });
    await pass(60);
    expect(bpfEnabledOf(await felix())).toBe(false);
    expect((await kube.get(refs.installation))?.spec).toEqual(before?.spec);
  });

  test('everything it made was written by field manager "operator"', async () => {
    const { kube } = await standard(like);
    for (const ref of [refs.calicoNode, refs.typha, refs.kubeControllers, refs.felix, refs.installation]) {
      const managers = (await kube.get(ref))?.metadata.managedFields?.map((entry) => entry.manager);
      expect(managers, ref.name).toContain('operator');
    }
  });

  test('deletion takes away what it made, in order, and lets the Installation go', async () => {
    const { kube, pass } = await standard(like);
    const gone: string[] = [];
    const forget = kube.onChange((change) => {
      if (change.type === 'deleted' && ['Deployment', 'DaemonSet', 'Installation'].includes(change.object.kind))
        gone.push(change.object.metadata.name ?? '');
    });
    await kube.delete(refs.installation);
    await pass(60);
    forget();
    expect(gone).toEqual(['calico-kube-controllers', 'calico-node', 'calico-typha', 'default']);
    expect(await kube.get(tigeraStatusRef('calico'))).toBeNull();
    expect(await kube.get(refs.felix)).not.toBeNull();
    await kube.settled();
    expect(await kube.get(refs.calicoNamespace)).toBeNull();
  });

  test('an object that somebody deletes or changes comes back', async () => {
    const { kube, pass } = await standard(like);
    await kube.delete(refs.kubeControllers);
    await kube.patch(refs.calicoNode, {
      type: 'json',
      operations: [{ op: 'remove', path: '/spec/template/spec/priorityClassName' }],
    });
    await pass(10);
    expect(await kube.get(refs.kubeControllers)).not.toBeNull();
    expect(memberAt(await kube.get(refs.calicoNode), 'spec', 'template', 'spec', 'priorityClassName')).toBe(
      'system-node-critical',
    );
  });

  test('conflicts, lost answers and closed watches in the middle do not stop it', async () => {
    stage = await aStage();
    const { kube, pass } = stage;
    let calls = 0;
    const restore = kube.intercept(async (call, proceed) => {
      if (
        !['create', 'update', 'patch'].includes(call.verb) ||
        ['pods', 'replicasets'].includes(call.resource) ||
        call.subresource
      )
        return proceed();
      calls += 1;
      if (calls % 3 === 0) throw new KubeError('conflict', 'the object has been modified');
      await proceed();
      if (calls % 5 === 0) throw new KubeError('server', 'the answer was lost', { status: 500 });
    });
    stage.start(like);
    await createInstallation(kube);
    await pass(20);
    await patchInstallation(kube, { linuxDataplane: 'BPF' }).catch(() =>
      patchInstallation(kube, { linuxDataplane: 'BPF' }),
    );
    await pass(2);
    kube.expireHistory();
    await pass(5);
    kube.closeWatches();
    restore();
    await pass(120);
    expect(bpfEnabledOf(await felix())).toBe(true);
    expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
  });

  test('a field that was set by hand is not overridden, and that is said', async () => {
    const { kube, pass } = await standard(like);
    await kube.patch(refs.felix, { type: 'merge', body: { spec: { bpfEnabled: true } } });
    await pass(10);
    expect(await conditionOf('calico', 'Degraded')).toMatchObject({ status: 'True', reason: 'ResourceUpdateError' });
    expect(bpfEnabledOf(await felix())).toBe(true);
  });
});

test('nothing is called available for a generation whose workloads are not written yet, however slow the API server is', async () => {
  const { kube, clock, pass } = await standard('v3.31.4');
  const restore = kube.intercept(async (call, proceed) => {
    // Longer than a tick, so that a tick falls between the first look at the new generation and the write of the agents.
    if (call.verb === 'update' && call.resource === 'daemonsets' && !call.subresource) await clock.sleep(6_000);
    return proceed();
  });
  const written = (await kube.get(refs.calicoNode))?.metadata.generation;
  const early: unknown[] = [];
  const forget = kube.onChange(({ object }) => {
    if (object.kind !== 'TigeraStatus' || object.metadata.name !== 'calico') return;
    const available = conditionsOf(object).find((one) => one.type === 'Available');
    const judgesNew = available?.status === 'True' && (available.observedGeneration ?? 0) > before;
    if (judgesNew && nodeGeneration === written) early.push(available);
  });
  let nodeGeneration = written;
  const follow = kube.onChange(({ object }) => {
    if (object.kind === 'DaemonSet' && object.metadata.name === names.nodeDaemonSet)
      nodeGeneration = object.metadata.generation;
  });
  const before = (await kube.get(refs.installation))?.metadata.generation ?? 0;
  await patchInstallation(kube, { linuxDataplane: 'BPF', hostPorts: null });
  await pass(120);
  for (const end of [forget, follow, restore]) end();
  expect(await conditionOf('calico', 'Available')).toMatchObject({
    status: 'True',
    observedGeneration: (await kube.get(refs.installation))?.metadata.generation,
  });
  expect(early).toEqual([]);
});

test('a refusal ends when its cause is fixed', async () => {
  const { kube, pass } = await standard('v3.31.4');
  await patchInstallation(kube, { bpfNetworkBootstrap: 'Enabled', linuxDataplane: 'BPF' });
  await pass(10);
  expect(await conditionOf('calico', 'Degraded')).toMatchObject({
    status: 'True',
    reason: 'ResourceValidationError',
    message: expect.stringContaining('bpfNetworkBootstrap'),
  });
  expect((await kube.get(refs.calicoNode))?.metadata.generation).toBe(1);
  await patchInstallation(kube, { bpfNetworkBootstrap: null, linuxDataplane: 'Iptables' });
  await pass(10);
  expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
});

describe('the endpoint', () => {
  test('after the ConfigMap is deleted the agents still use it', async () => {
    const { kube, pass } = await standard('v3.31.4');
    await kube.create(resources.configMaps, endpointConfigMap('api.lab.example'));
    await pass(20);
    expect(await agentEnv()).toBe('api.lab.example');
    await kube.delete(endpointRef);
    await pass(45);
    expect(await agentEnv()).toBe('api.lab.example');
  });

  test('a rollout of the operator’s Deployment restarts the stand-in: it forgets, and reads its environment again', async () => {
    const { kube, pass, log } = await standard('v3.31.4', [
      operatorDeployment('v1.40.7'),
      endpointConfigMap('api.lab.example'),
    ]);
    expect(await agentEnv()).toBe('api.lab.example');
    await kube.delete(endpointRef);
    await pass(20);
    expect(await agentEnv()).toBe('api.lab.example');
    await kube.patch(deploymentRef, {
      type: 'merge',
      body: { spec: { template: { metadata: { annotations: { [names.endpointHashAnnotation]: 'none' } } } } },
    });
    await pass(40);
    expect(await agentEnv()).toBeUndefined();
    expect(log.filter((line) => line.includes('starts'))).toHaveLength(2);
  });

  test('the image of that Deployment decides which release is emulated', async () => {
    const { kube, pass } = await standard('v3.31.4', [operatorDeployment('v1.38.13')]);
    expect(memberAt(await kube.get(refs.installation), 'status', 'calicoVersion')).toBe('v3.30.7');
    await kube.patch(deploymentRef, {
      type: 'json',
      operations: [
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'quay.io/tigera/operator:v1.40.7' },
      ],
    });
    await pass(90);
    expect(memberAt(await kube.get(refs.installation), 'status', 'calicoVersion')).toBe('v3.31.4');
  });

  test('dnsPolicy and dnsConfig of the operator reach the agents', async () => {
    const { kube, pass } = await standard('v3.31.4', [operatorDeployment('v1.40.7')]);
    await kube.patch(deploymentRef, {
      type: 'merge',
      body: { spec: { template: { spec: { dnsConfig: { nameservers: ['169.254.169.253'] } } } } },
    });
    await pass(30);
    expect(memberAt(await kube.get(refs.calicoNode), 'spec', 'template', 'spec', 'dnsConfig')).toEqual({
      nameservers: ['169.254.169.253'],
    });
  });
});

test('APIServer: its Deployment, its status, and its finalizer until the Deployment is gone', async () => {
  const { kube, pass } = await standard('v3.31.4');
  await kube.create(resources.apiServers, {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'APIServer',
    metadata: { name: 'default' },
    spec: {},
  });
  await pass(10);
  expect(await conditionOf('apiserver', 'Available')).toMatchObject({ status: 'True' });
  expect(memberAt(await kube.get(refs.apiServer), 'status', 'state')).toBe('Ready');
  expect((await kube.get(refs.installation))?.metadata.finalizers).toContain(names.apiServerFinalizer);
  await kube.delete(refs.apiServer);
  await pass(10);
  expect(await kube.get(refs.apiServerDeployment)).toBeNull();
  expect((await kube.get(refs.installation))?.metadata.finalizers).not.toContain(names.apiServerFinalizer);
  expect(await kube.get(tigeraStatusRef('apiserver'))).toBeNull();
});

describe('the first pools come from what the platform fixed (calico.md §2.3)', () => {
  const kubeadmConfig = (networking: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
    data: { ClusterConfiguration: `networking:\n  serviceSubnet: 10.96.0.0/12\n${networking}` },
  });
  const openshift: KubeObject[] = [
    { apiVersion: 'config.openshift.io/v1', kind: 'ClusterVersion', metadata: { name: 'version' } },
    {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Network',
      metadata: { name: 'cluster' },
      spec: { clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }] },
    },
  ];
  const installed = async (objects: readonly KubeObject[], network: Record<string, unknown>) => {
    stage = await aStage({ objects });
    stage.start('v3.31.4');
    await createInstallation(stage.kube, network);
    await stage.pass(40);
    return memberAt(await stage.kube.get(refs.installation), 'spec', 'calicoNetwork', 'ipPools') as unknown;
  };

  test.each([
    ['kubeadm', [kubeadmConfig('  podSubnet: 10.244.0.0/16\n')], '10.244.0.0/16'],
    ['OpenShift', openshift, '10.128.0.0/14'],
  ])('%s: no pool given', async (_platform, objects, cidr) => {
    expect(await installed(objects, { ipPools: undefined })).toMatchObject([{ cidr, encapsulation: 'IPIP' }]);
    expect(await conditionOf('ippools', 'Available')).toMatchObject({ status: 'True' });
  });

  test.each([
    [
      'kubeadm',
      [kubeadmConfig('  podSubnet: 10.244.0.0/16\n')],
      /^IPPool .* is not within the platform's configured pod network/,
    ],
    ['OpenShift', openshift, /^IPPool .* is not within the platform's configured pod network/],
    ['kubeadm without podSubnet', [kubeadmConfig('')], /^kubeadm configuration is missing required podSubnet field$/],
  ])('%s: the pool of the published file is refused, and no agent is made', async (_platform, objects, message) => {
    await installed(objects, {});
    expect(await conditionOf('ippools', 'Degraded')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(message),
    });
    expect(await stage.kube.get(refs.calicoNode)).toBeNull();
  });
});

/** The same store as a real cluster: the operator must not assume who else is there. */
function asLive({ kube }: Stage): Store {
  return new Proxy(kube, { get: (target, key) => (key === 'source' ? 'live' : Reflect.get(target, key)) });
}

describe('beside another operator', () => {
  const running = (options: Partial<OperatorOptions> = {}) =>
    runOperator({
      kube: asLive(stage),
      like: 'v3.31.4',
      clock: stage.clock,
      signal: new AbortController().signal,
      env: {},
      log: () => {},
      ...options,
    });

  test('it does not start where one runs', async () => {
    stage = await aStage({ objects: [operatorDeployment('v1.40.7')] });
    await stage.pass(10);
    await expect(running()).rejects.toThrow(OperatorRefused);
  });

  test('it ends when one appears', async () => {
    stage = await aStage();
    const ended = running();
    ended.catch(() => {});
    await createInstallation(stage.kube);
    await stage.pass(20);
    expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
    await stage.kube.create(resources.deployments, operatorDeployment('v1.40.7'));
    await expect(ended).rejects.toThrow('another operator runs');
  });

  test('it starts again after its own end', async () => {
    stage = await aStage();
    const end = new AbortController();
    const first = running({ signal: end.signal });
    await createInstallation(stage.kube);
    await stage.pass(20);
    end.abort();
    await first;
    const again = new AbortController();
    const second = running({ signal: again.signal });
    await stage.pass(5);
    again.abort();
    await expect(second).resolves.toBeUndefined();
  });

  test('on a cluster of npm run cluster it plays beside it', async () => {
    stage = await aStage({ objects: [operatorDeployment('v1.40.7')] });
    await stage.pass(10);
    const labels = { [names.testClusterLabel]: names.testClusterValue };
    await stage.kube.patch(
      { resource: resources.namespaces, name: 'kube-system' },
      { type: 'merge', body: { metadata: { labels } } },
    );
    const end = new AbortController();
    const ended = running({ signal: end.signal });
    await createInstallation(stage.kube);
    await stage.pass(30);
    expect(await conditionOf('calico', 'Available')).toMatchObject({ status: 'True' });
    end.abort();
    await ended;
  });
});

const deploymentRef = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
} as const;

function operatorDeployment(tag: string): KubeObject {
  const labels = { name: names.operatorDeployment };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.operatorDeployment, namespace: names.operatorNamespace, generation: 1 },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          // The pod must run on nodes that wait for the network that it will bring (tigera-operator.yaml).
          tolerations: [
            { effect: 'NoExecute', operator: 'Exists' },
            { effect: 'NoSchedule', operator: 'Exists' },
          ],
          containers: [{ name: 'tigera-operator', image: `quay.io/tigera/operator:${tag}` }],
        },
      },
    },
  };
}
