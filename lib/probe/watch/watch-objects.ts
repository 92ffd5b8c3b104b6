import type { V1DaemonSet } from '@kubernetes/client-node';
import type { KubeObject, ObjectToWrite } from '#lib/kube/index.ts';
import { type MissingRule, names } from '#lib/spec/index.ts';
import { namespaceWithAccount } from '../objects/namespace-with-account.ts';
import { environmentOf, linuxLabel, onNodes, withoutRights } from '../objects/pod-fields.ts';
import { hostAndPortOf } from '../objects/pod-script.ts';
import { rulesFor } from '../objects/rights.ts';
import type { PullSecret } from '../objects/settings.ts';
import { questionAbout } from '../scripts/question-about.ts';
import { watchScript } from '../scripts/scripts.ts';

export const watchNames = {
  namespace: names.watchNamespace,
  account: 'signalbox-services',
  daemonSet: 'signalbox-services',
  container: 'services',
} as const;

/** How long pods test if nobody deletes them. */
const secondsToLive = 4 * 3600;

/** An address of the cluster with a port. */
type HostAndPort = { readonly host: string; readonly port: number };

export type WatchSettings = {
  readonly image: string;
  readonly intervalMs: number;
  /** The ClusterIP of the API. */
  readonly api: HostAndPort;
  readonly dns: HostAndPort | null;
  /** A node port, which every node has. */
  readonly nodePort: number | null;
  /** The nodes that test, each with its address of the family that the Service with the node port has; null: it has none. */
  readonly nodes: readonly { readonly name: string; readonly address: string | null }[];
  /** Whether these are all nodes with Linux's label. Otherwise they are listed by name, whatever their labels. */
  readonly asking: 'all' | 'sample';
  /** Secrets for pulling the agent's image, copied by name if that is allowed: most nodes have the image already. */
  readonly pullSecrets?: readonly PullSecret[];
};

/** Everything that is created to test Services. It is deleted with its namespace. */
export function watchObjects(settings: WatchSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  const secrets = (settings.pullSecrets ?? []).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: watchNames.namespace, labels },
  }));
  return [...namespaceWithAccount(watchNames), ...secrets, daemonSet(settings)];
}

/** On the host's network, where the service proxy's rules and the eBPF programs work, and without any rights there. */
function daemonSet(settings: WatchSettings): ObjectToWrite<V1DaemonSet> {
  const labels = { 'app.kubernetes.io/name': watchNames.daemonSet, [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: watchNames.daemonSet, namespace: watchNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': watchNames.daemonSet } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: watchNames.account,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          imagePullSecrets: (settings.pullSecrets ?? []).map(({ name }) => ({ name })),
          terminationGracePeriodSeconds: 2,
          ...(settings.asking === 'all'
            ? { nodeSelector: linuxLabel }
            : { affinity: onNodes(settings.nodes.map(({ name }) => name)) }),
          tolerations: [{ operator: 'Exists' }],
          hostNetwork: true,
          dnsPolicy: 'Default',
          containers: [
            {
              name: watchNames.container,
              image: settings.image,
              imagePullPolicy: 'IfNotPresent',
              command: ['/bin/bash', '-c', watchScript],
              env: environmentOf(watchEnvironment(settings)),
              resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
              securityContext: withoutRights,
            },
          ],
        },
      },
    },
  };
}

/** The script's environment; its head explains each variable. */
export function watchEnvironment({ intervalMs, api, dns, nodePort, nodes }: WatchSettings): Record<string, string> {
  return {
    INTERVAL: String(intervalMs),
    API: hostAndPortOf(api),
    DNS: hostAndPortOf(dns),
    QUESTION: questionAbout(api.host),
    NODE_PORT: nodePort === null ? '' : String(nodePort),
    ADDRESSES: nodes.map(({ address }) => address ?? '-').join(' '),
    SECONDS_TO_LIVE: String(secondsToLive),
  };
}

/** The rights that watching Services needs beyond reading. */
export const watchRules: readonly MissingRule[] = rulesFor(watchNames.namespace);
