import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { names, resources } from '#lib/spec/index.ts';
import { kubeProxy } from '../objects/object-refs.ts';
import type { Condition } from '../schema/condition.ts';
import { aCluster, carriers, choose, type Difference, daemonSet, ids } from '../testing/a-cluster.ts';
import { conditionCommand } from './condition-command.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder('condition-command');
});

function commandFor(condition: Condition, difference: Difference = {}): string {
  const facts = aCluster(difference);
  const context = { facts, choices: choose(), before: facts.resources.objects, release: null, running: null };
  return conditionCommand(condition, context, 60);
}

/** What a wait comes to: `met`, `failed`, or `waits` if it is still waiting. `answers`: by a part of kubectl's words, the first that is in them. */
function outcome(command: string, answers: Readonly<Record<string, string>>): 'met' | 'failed' | 'waits' {
  const cases = Object.entries(answers).map(([words, answer]) => `*'${words}'*) printf '%s' '${answer}' ;;`);
  const programs = { kubectl: `case "$*" in\n${cases.join('\n')}\nesac`, sleep: 'exit 3' };
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(join(folder, program), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  // The first pause ends the script: nothing changes while it waits.
  const { status } = spawnSync('sh', ['-c', `set -eu\n${command}`], { env: { PATH: `${folder}:/usr/bin:/bin` } });
  return status === 0 ? 'met' : status === 3 ? 'waits' : 'failed';
}

test.each([
  ['the new address', '10.0.0.100 6443', 'met'],
  ['the earlier port of the same host', '10.0.0.100 443', 'waits'],
  ['the earlier host', '10.96.0.1 6443', 'waits'],
  ['no address yet', ' ', 'waits'],
] as const)('an address in a template counts with its port: %s', (_title, found, expected) => {
  const command = commandFor({ kind: 'endpoint-active', endpoint: { host: '10.0.0.100', port: '6443' } });
  expect(outcome(command, { KUBERNETES_SERVICE_PORT: found, KUBERNETES_SERVICE_HOST: found.split(' ')[0] ?? '' })).toBe(
    expected,
  );
});

test('each workload that had the earlier address must have the new one', () => {
  const command = commandFor({ kind: 'endpoint-active', endpoint: { host: '10.0.0.100', port: '6443' } });
  const typha = { 'deployments.apps/calico-typha': '10.96.0.1 443', KUBERNETES_SERVICE_PORT: '10.0.0.100 6443' };
  expect(outcome(command, { ...typha, KUBERNETES_SERVICE_HOST: '10.0.0.100' })).toBe('waits');
});

test('on MKE, pods on the pod network rightly have no address', () => {
  const controllers = { object: 'calico-system/Deployment/calico-kube-controllers', host: null, port: null };
  const inUse = [...carriers('10.96.0.1', '443'), { ...controllers, container: names.kubeControllersDeployment }];
  const endpoint = { host: names.proxyOfMke, port: '6444' };
  const command = commandFor({ kind: 'endpoint-active', endpoint }, { endpoint: { inUse } });
  const own = { 'deployments.apps/calico-kube-controllers': ' ', KUBERNETES_SERVICE_PORT: 'proxy.local 6444' };
  expect(outcome(command, { ...own, KUBERNETES_SERVICE_HOST: 'proxy.local' })).toBe('met');
});

test.each([
  ['the ClusterIP', '10.96.0.1', 'met'],
  ['nothing, as the kubelet sets it', '', 'met'],
  ['still the address of the plan', '10.0.0.100', 'waits'],
] as const)('without a ConfigMap a template has the ClusterIP or nothing: %s', (_title, found, expected) => {
  const difference = { endpoint: { clusterIPs: ['10.96.0.1'] } };
  const command = commandFor({ kind: 'endpoint-active', endpoint: null }, difference);
  expect(outcome(command, { KUBERNETES_SERVICE_HOST: found })).toBe(expected);
});

test('the pods of a proxy are found by the selector of its DaemonSet', () => {
  const proxy = daemonSet('kube-proxy', 'kube-system', 3);
  // As AKS labels it (Azure/acs-engine#976).
  const matchLabels = { component: 'kube-proxy', tier: 'node' };
  const objects = { [ids.proxy]: { ...proxy, spec: { ...(proxy.spec as object), selector: { matchLabels } } } };
  const command = commandFor({ kind: 'no-pods', target: kubeProxy }, { objects });
  const left = { desiredNumberScheduled: '0', 'component=kube-proxy,tier=node': 'pod/kube-proxy-a' };
  expect(outcome(command, left)).toBe('waits');
  expect(outcome(command, { desiredNumberScheduled: '0' })).toBe('met');
});

test('after a proxy is ready, its rules are given the time that a run gives them', () => {
  const command = commandFor({ kind: 'proxy-back', target: kubeProxy }, { resources: { serviceCount: 2_000 } });
  expect(command.split('\n').at(-1)).toBe('sleep 80');
});

test.each([
  ['true', 'waits'],
  ['false', 'met'],
  ['', 'met'],
] as const)('eBPF is off unless bpfEnabled is true: %j', (found, expected) => {
  expect(outcome(commandFor({ kind: 'bpf-inactive' }), { bpfEnabled: found })).toBe(expected);
});

test.each([
  ['all of this generation', '4 4 4', 'met'],
  ['one of an earlier generation', '4 3 4', 'waits'],
  ['all of a later one', '5 5', 'met'],
  ['none', '', 'waits'],
] as const)('the lowest generation that the operator reports counts: %s', (_title, observed, expected) => {
  const answers = { observedGeneration: observed, 'metadata.generation': '4' };
  expect(outcome(commandFor({ kind: 'reconciled' }), answers)).toBe(expected);
});

test.each([
  ['as the operator reports it', '4 4 4', 'met'],
  ['of an Installation before its latest change', '3 3 3', 'waits'],
] as const)('a version counts for the Installation as it is now: %s', (_title, observed, expected) => {
  const command = commandFor({ kind: 'installation-available', version: 'v3.31.4' });
  const answers = { calicoVersion: 'v3.31.4', observedGeneration: observed, 'metadata.generation': '4' };
  expect(outcome(command, answers)).toBe(expected);
});

test('pods of every namespace of Calico must be ready, and a namespace without pods is passed over', () => {
  const command = commandFor({ kind: 'product-pods-ready' });
  const asked = [...command.matchAll(/kubectl wait pods -n (\S+)/g)].map(([, namespace]) => namespace);
  expect(asked).toEqual(['tigera-operator', 'calico-system', 'calico-apiserver']);
  expect(outcome(command, {})).toBe('met');
});

test.each([
  ['registry:5000/calico/node:v3.31.4', 'met'],
  ['registry:5000/calico/node:v3.31.4@sha256:0123', 'met'],
  ['registry:5000/calico/node:v3.31.40', 'failed'],
] as const)('the release of an image: %s', (image, expected) => {
  const difference = { installation: { method: 'manifest-etcd' } } as const;
  expect(outcome(commandFor({ kind: 'version', equals: 'v3.31.4' }, difference), { image })).toBe(expected);
});

const starting = '2026-11-21 05:23:03.123 [INFO][71] felix/daemon.go 373: Felix starting up';
const refused =
  '2026-11-21 05:23:03.500 [ERROR][71] felix/driver.go 4: BPF dataplane mode enabled but not supported by the kernel.';

test.each([
  ['a log above Info, and Services in its maps', '', '10.96.0.10 port 53 proto 17 id 1', 'met'],
  ['a log above Info, and empty maps', '', 'nothing', 'waits'],
  ['a start without a decision, whatever its maps hold', starting, '10.96.0.10 port 53 proto 17 id 1', 'waits'],
  ['a refusal, which agents log above Info too', refused, '10.96.0.10 port 53 proto 17 id 1', 'failed'],
] as const)('an agent on eBPF by its log, or by its maps if that cannot tell: %s', (_title, log, maps, expected) => {
  const answers = { bpfEnabled: 'true', 'get pods': 'pod/calico-node-a', 'logs -n': log, 'nat dump': maps };
  expect(outcome(commandFor({ kind: 'bpf-active' }), answers)).toBe(expected);
});

test.each([
  ['all of this release', 'a r/dikastes:v3.31.4\nb r/dikastes:v3.31.4@sha256:0123\n', 'met'],
  ['one of an earlier release', 'a r/dikastes:v3.31.4\nb r/dikastes:v3.27.5\n', 'waits'],
  ['one of a release with a longer number', 'a r/dikastes:v3.31.40\n', 'waits'],
  ['a pod without one', 'a r/dikastes:v3.31.4\nb \n', 'waits'],
  ['no pod', '', 'met'],
] as const)('each pod has the sidecar of the release: %s', (_title, images, expected) => {
  const target = { resource: resources.deployments, namespace: 'shop', name: 'shop' };
  expect(outcome(commandFor({ kind: 'sidecars', target, version: 'v3.31.4' }), { 'get pods': images })).toBe(expected);
});
