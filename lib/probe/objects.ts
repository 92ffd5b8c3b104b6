import { readFileSync } from 'node:fs';
import type { V1DaemonSet, V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { KubeObject, Written } from '#lib/kube/index.ts';
import { type MissingRule, names, resources } from '#lib/spec/index.ts';
import { strides } from './pairs.ts';

/** What every node runs, as it stands in its pod's own spec: a ConfigMap could be rewritten by somebody who may not make privileged pods. */
export const probeScript = readFileSync(new URL('./probe.sh', import.meta.url), 'utf8');

export const probeNames = {
  namespace: 'signalbox-probe',
  account: 'signalbox-probe',
  /** On the host's network. */
  host: 'signalbox-probe',
  /** On the network of pods. */
  pod: 'signalbox-probe-pod',
  containers: { host: 'probe', pod: 'probe-pod' },
} as const;

/** So long pods test before they only wait to be deleted. */
const secondsToLive = 300;

export type ProbeSettings = {
  /** From 256 to 65535, another for each preflight: devices, test addresses and VXLAN numbers are made from it. */
  readonly run: number;
  readonly image: string;
  readonly endpoint: { readonly host: string; readonly port: string } | null;
  /** IPv4 of each node, in the order of the question; null: it has none. */
  readonly addresses: readonly (string | null)[];
  readonly vxlanPort: number;
  /** Where Calico mounts cgroup2. */
  readonly cgroupFolder: string;
  /** Labels of the nodes to test; empty: all. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Whether there is a network for pods. */
  readonly podNetwork: 'there' | 'not-yet';
};

/** Everything that a preflight makes, in order; it is deleted in the opposite one. */
export function probeObjects(settings: ProbeSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  const namespace: Written<V1Namespace> = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: probeNames.namespace,
      labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'privileged' },
    },
  };
  const account: Written<V1ServiceAccount> = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: probeNames.account, namespace: probeNames.namespace, labels },
    automountServiceAccountToken: false,
  };
  const onPodNetwork = settings.podNetwork === 'there' ? [daemonSet('pod', settings)] : [];
  return [namespace, account, daemonSet('host', settings), ...onPodNetwork];
}

function daemonSet(way: 'host' | 'pod', settings: ProbeSettings): Written<V1DaemonSet> {
  const labels = { 'app.kubernetes.io/name': probeNames[way], [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: probeNames[way], namespace: probeNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': probeNames[way] } },
      // All at once: nothing is served by them.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: probeNames.account,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 5,
          nodeSelector: { 'kubernetes.io/os': 'linux', ...settings.nodeSelector },
          tolerations: [{ operator: 'Exists' }],
          // The node's own resolver, as the agent asks before cluster DNS is there.
          ...(way === 'host' ? { hostNetwork: true, hostPID: true, dnsPolicy: 'Default' } : {}),
          containers: [
            {
              name: probeNames.containers[way],
              image: settings.image,
              imagePullPolicy: 'IfNotPresent',
              command: ['/bin/bash', '-c', probeScript],
              env: Object.entries(probeEnvironment(way, settings)).map(([name, value]) => ({
                name,
                // Kubernetes makes one of two dollar signs.
                value: value.replaceAll('$', '$$$$'),
              })),
              resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '256Mi' } },
              securityContext: way === 'host' ? { privileged: true } : withoutRights,
            },
          ],
        },
      },
    },
  };
}

const withoutRights = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** What the script is told; its head says what each means. */
export function probeEnvironment(way: 'host' | 'pod', settings: ProbeSettings): Record<string, string> {
  const { addresses, endpoint } = settings;
  return {
    WAY: way,
    RUN: String(settings.run),
    ENDPOINT: endpoint === null ? '' : `${endpoint.host} ${endpoint.port}`,
    ADDRESSES: way === 'host' ? addresses.map((address) => address ?? '-').join(' ') : '',
    STRIDES: strides(addresses.length).join(' '),
    PORT: String(settings.vxlanPort),
    CGROUP: settings.cgroupFolder,
    SECONDS_TO_LIVE: String(secondsToLive),
  };
}

/** What a preflight needs beside what reading needs. Whoever may make pods in a namespace that allows privileged ones is root on every node. */
export const probeRules: readonly MissingRule[] = [
  rule(resources.namespaces, 'create'),
  rule(resources.namespaces, 'get', { name: probeNames.namespace }),
  rule(resources.namespaces, 'delete', { name: probeNames.namespace }),
  rule(resources.serviceAccounts, 'create', inNamespace()),
  rule(resources.daemonSets, 'create', inNamespace()),
  rule(resources.pods, 'list', inNamespace()),
  { ...rule(resources.pods, 'get', inNamespace()), subresource: 'log' },
];

function inNamespace() {
  return { namespace: probeNames.namespace };
}

function rule(
  { group, plural }: (typeof resources)['pods'],
  verb: string,
  where: { namespace?: string; name?: string } = {},
): MissingRule {
  return { verb, group, resource: plural, ...where };
}
