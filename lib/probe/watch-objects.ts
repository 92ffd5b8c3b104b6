import type { V1DaemonSet } from '@kubernetes/client-node';
import type { KubeObject, Written } from '#lib/kube/index.ts';
import { type MissingRule, names } from '#lib/spec/index.ts';
import { environmentOf, linuxLabel, onNodes, type PullSecret, placeFor, rulesFor, withoutRights } from './objects.ts';
import { questionAbout } from './scripts/question-about.ts';
import { watchScript } from './scripts/scripts.ts';

export const watchNames = {
  namespace: names.watchNamespace,
  account: 'signalbox-services',
  daemonSet: 'signalbox-services',
  container: 'services',
} as const;

/** So long pods ask when nobody takes them away. */
const secondsToLive = 4 * 3600;

/** An address of the cluster and a port. */
type Place = { readonly host: string; readonly port: number };

export type WatchSettings = {
  readonly image: string;
  readonly intervalMs: number;
  /** The ClusterIP of the API. */
  readonly api: Place;
  readonly dns: Place | null;
  /** A port that every node has. */
  readonly nodePort: number | null;
  /** Those that ask, with their IPv4; null: a node has none. */
  readonly nodes: readonly { readonly name: string; readonly address: string | null }[];
  /** Whether these are all that have Linux's label: others are named node by node, whatever their label says. */
  readonly asking: 'all' | 'sample';
  /** Those that the agent's image needs, copied by name where that is allowed: the image is on most nodes already. */
  readonly pullSecrets?: readonly PullSecret[];
};

/** Everything that is made so that services are asked; it goes with its namespace. */
export function watchObjects(settings: WatchSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  const secrets = (settings.pullSecrets ?? []).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: watchNames.namespace, labels },
  }));
  return [...placeFor(watchNames), ...secrets, daemonSet(settings)];
}

/** On the host's network, where the rules of a service proxy and the programs of eBPF are at work, and with no right there. */
function daemonSet(settings: WatchSettings): Written<V1DaemonSet> {
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

/** What the script is told; its head says what each means. */
export function watchEnvironment({ intervalMs, api, dns, nodePort, nodes }: WatchSettings): Record<string, string> {
  const said = (place: Place | null) => (place === null ? '' : `${place.host} ${place.port}`);
  return {
    INTERVAL: String(intervalMs),
    API: said(api),
    DNS: said(dns),
    QUESTION: questionAbout(api.host),
    NODE_PORT: nodePort === null ? '' : String(nodePort),
    ADDRESSES: nodes.map(({ address }) => address ?? '-').join(' '),
    SECONDS_TO_LIVE: String(secondsToLive),
  };
}

/** What it needs beside what reading needs. */
export const watchRules: readonly MissingRule[] = rulesFor(watchNames.namespace);
