import { connect } from 'node:net';
import { duplexPair } from 'node:stream';
import { type IssuedCertificate, issueCertificate } from '#lib/base/certificates.ts';
import { createStore, KubeError, type KubeObject, type Store } from '#lib/kube/index.ts';
import { Aggregator } from '../aggregator/aggregator.ts';
import { noQuirks, type QuirkId } from '../aggregator/quirks.ts';
import { type ServedAggregator, serveAggregator } from '../aggregator/serve-aggregator.ts';
import { wireFormatOf } from '../wire/wire-format.ts';

export type FlowCluster = {
  kube: Store;
  aggregator(): Aggregator;
  /** The aggregator's time, in seconds since the epoch. */
  time: { now: number };
  /** Replaces the pod by one with a new process that remembers nothing. */
  replacePod(): Promise<void>;
  /** Replaces authority and key pairs everywhere at once. */
  rotate(): Promise<void>;
  /** Breaks all connections, as a network failure does. */
  cut(): void;
  authority(): IssuedCertificate;
  close(): Promise<void>;
};

const namespace = 'calico-system';
const names = ['goldmane', 'goldmane.calico-system', 'goldmane.calico-system.svc'];

/** A cluster with flow logs: the objects that the operator creates, and an aggregator with real TLS behind a port-forward. */
export async function aFlowCluster({
  version = 'v3.31.4',
  quirks = noQuirks,
  way = 'port',
  shownFor = names,
}: {
  version?: string;
  quirks?: ReadonlySet<QuirkId>;
  way?: 'port' | 'memory';
  shownFor?: string[];
} = {}): Promise<FlowCluster> {
  const time = { now: 1_800_000_000 };
  const connections = new Set<{ destroy(): void }>();
  let authority = newAuthority();
  let aggregator = new Aggregator(() => time.now, quirks);
  let pod = 1;
  let served: ServedAggregator;
  const serve = async () => {
    const { key, certificate } = issueCertificate(
      { commonName: 'goldmane', names: shownFor, use: 'end' },
      Date.now(),
      authority,
    );
    served = await serveAggregator(aggregator, {
      format: wireFormatOf(version),
      certificates: { authority: authority.certificate, certificate, key },
      listen: way === 'port' ? '127.0.0.1:0' : null,
    });
  };
  await serve();
  const kube = createStore({
    name: 'flows',
    source: 'sandbox',
    kinds: [],
    objects: flowObjects({ version, authority, pod }),
    pods: {
      portForward: async ({ name, port }) => {
        if (name !== `goldmane-${pod}` || port !== 7443)
          throw new KubeError('unreachable', `The connection to ${name} could not be opened.`);
        if (served.address === null) {
          const [near, far] = duplexPair();
          served.accept(far);
          connections.add(near);
          return near;
        }
        const socket = connect(Number(served.address.split(':').at(-1)), '127.0.0.1');
        connections.add(socket);
        return socket;
      },
    },
  });
  const put = () => kube.load(flowObjects({ version, authority, pod }));
  return {
    kube,
    time,
    aggregator: () => aggregator,
    authority: () => authority,
    cut: () => {
      for (const connection of connections) connection.destroy();
      connections.clear();
    },
    replacePod: async () => {
      await served.close();
      await kube.delete({ resource: podsOf, namespace, name: `goldmane-${pod}` });
      pod++;
      aggregator = new Aggregator(() => time.now, quirks);
      await serve();
      put();
    },
    rotate: async () => {
      await served.close();
      authority = newAuthority();
      await serve();
      put();
    },
    close: () => served.close(),
  };
}

const newAuthority = () => issueCertificate({ commonName: 'tigera-operator-signer', use: 'authority' }, Date.now());
const podsOf = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

function flowObjects({
  version,
  authority,
  pod,
}: {
  version: string;
  authority: IssuedCertificate;
  pod: number;
}): KubeObject[] {
  const client = issueCertificate({ commonName: 'whisker-backend', use: 'end' }, Date.now(), authority);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const status = { state: { running: { startedAt: '2026-11-23T10:00:00Z' } }, ready: true, name: 'goldmane' };
  return [
    {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'Installation',
      metadata: { name: 'default' },
      spec: { variant: 'Calico' },
      status: { calicoVersion: version },
    },
    { apiVersion: 'operator.tigera.io/v1', kind: 'Goldmane', metadata: { name: 'default' }, spec: {} },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name: 'goldmane' },
      spec: { selector: { 'k8s-app': 'goldmane' }, ports: [{ port: 7443, targetPort: 7443 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: `goldmane-${pod}`, uid: `pod-${pod}`, labels: { 'k8s-app': 'goldmane' } },
      spec: { containers: [{ name: 'goldmane', image: 'goldmane' }] },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: [status] },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name: 'goldmane-ca-bundle' },
      data: { 'tigera-ca-bundle.crt': authority.certificate },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'whisker-backend-key-pair' },
      data: { 'tls.crt': base64(client.certificate), 'tls.key': base64(client.key) },
    },
  ];
}
