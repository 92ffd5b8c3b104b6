import fc from 'fast-check';
import type { JsonPatchOperation } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { things } from './thing-definition.ts';
import type { Step } from './write-step.ts';

type Json = fc.Arbitrary<unknown>;
type Fragment = fc.Arbitrary<Record<string, unknown>>;

/** A kind under test: fragments of its objects, and places where JSON patches act. */
export type Subject = {
  resource: Resource;
  /** `nulls`: some fields are null, which removes them in a merge patch. */
  fragment: (nulls: 'nulls' | 'values') => Fragment;
  status: ((nulls: 'nulls' | 'values') => Fragment) | null;
  places: readonly { path: string; value: Json }[];
};

const word = fc.constantFrom('a', 'b', 'c');
const number = fc.constantFrom(0, 1, 2, 7);
const text = fc.constantFrom('', 'one', 'two', 'x<&>');
const flag = fc.boolean();

/** An object with any subset of the fields. */
const some = (fields: Record<string, Json>, nulls: 'nulls' | 'values' = 'values'): Fragment => {
  const members =
    nulls === 'values'
      ? fields
      : Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name,
            fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
          ]),
        );
  return fc.record(members, { noNullPrototype: true, requiredKeys: [] }) as Fragment;
};
const mapOf = (value: Json, size?: 'filled'): Json =>
  fc.dictionary(word, value, { noNullPrototype: true, minKeys: size ? 1 : 0, maxKeys: 3 });
const listOf = (value: Json): Json => fc.array(value, { maxLength: 3 });
const setOf = (value: Json): Json => fc.uniqueArray(value, { maxLength: 3 });
const keyed = (keys: Record<string, Json>, others: Record<string, Json>): Json =>
  fc.uniqueArray(fc.record({ ...keys, ...others }, { noNullPrototype: true, requiredKeys: Object.keys(keys) }), {
    maxLength: 3,
    selector: (item) => JSON.stringify(Object.keys(keys).map((key) => (item as Record<string, unknown>)[key])),
  });

// No empty maps or lists here: etcd keeps them as they were applied to a custom resource, which shows only as one extra write.
const metadata = (nulls: 'nulls' | 'values') =>
  some(
    {
      labels: mapOf(word, 'filled'),
      annotations: mapOf(text, 'filled'),
      finalizers: fc.constantFrom(['signalbox.dev/a'], ['signalbox.dev/a', 'signalbox.dev/b']),
    },
    nulls,
  );
const labelled = (nulls: 'nulls' | 'values') =>
  some({ labels: mapOf(word, 'filled'), annotations: mapOf(text, 'filled') }, nulls);

const port = { name: word, options: some({ a: text, b: number }) };
const ports = keyed({ port: number }, { protocol: fc.constantFrom('TCP', 'UDP'), ...port });
const thing: Subject = {
  resource: things,
  fragment: (nulls) =>
    some(
      {
        metadata: metadata(nulls),
        spec: some(
          {
            text,
            number,
            mode: fc.constantFrom('On', 'Off'),
            maybe: fc.option(text),
            port: fc.oneof(number, word),
            granular: mapOf(text),
            atomicMap: mapOf(text),
            atomicStruct: some({ a: text, b: text }),
            atomicList: listOf(word),
            set: setOf(word),
            numbers: setOf(number),
            ports,
            nested: some(
              {
                text,
                inner: some({ a: text, b: flag, list: listOf(some({ x: word })) }, nulls),
                byName: keyed({ name: word }, { value: text, tags: setOf(word) }),
              },
              nulls,
            ),
            mapOfStructs: mapOf(some({ a: text, b: text })),
            free: fc.dictionary(word, fc.oneof(text, number, mapOf(text), listOf(number)), {
              noNullPrototype: true,
              maxKeys: 3,
            }),
          },
          nulls,
        ),
      },
      nulls,
    ),
  status: (nulls) =>
    some(
      {
        status: some({ phase: text, count: number, conditions: keyed({ type: word }, { status: text }) }, nulls),
        spec: some({ text }),
      },
      nulls,
    ),
  places: [
    { path: '/spec', value: some({ text, number }) },
    { path: '/spec/text', value: text },
    { path: '/spec/granular', value: mapOf(text) },
    { path: '/spec/granular/a', value: text },
    { path: '/spec/set', value: setOf(word) },
    { path: '/spec/set/-', value: word },
    { path: '/spec/ports', value: ports },
    { path: '/spec/ports/0', value: fc.record({ port: number }) },
    { path: '/spec/ports/0/name', value: word },
    { path: '/spec/nested/inner/a', value: text },
    { path: '/spec/atomicList/0', value: word },
    { path: '/spec/free/a', value: fc.oneof(text, mapOf(text)) },
    { path: '/metadata/labels', value: mapOf(word) },
    { path: '/metadata/labels/a', value: word },
  ],
};

const configMap: Subject = {
  resource: resources.configMaps,
  fragment: (nulls) =>
    some(
      {
        metadata: metadata(nulls),
        data: some({ a: text, b: text, c: text }, nulls),
        binaryData: some({ d: fc.constantFrom('AAAA', 'AAEC') }),
      },
      nulls,
    ),
  status: null,
  places: [
    { path: '/data', value: mapOf(text) },
    { path: '/data/a', value: text },
    { path: '/metadata/labels/a', value: word },
    { path: '/metadata/annotations', value: mapOf(text) },
  ],
};

const resourceRequirements = some({
  limits: some({ cpu: fc.constantFrom('1', '100m'), memory: fc.constant('64Mi') }),
  requests: some({ cpu: fc.constant('50m') }),
});
const deployment = fc.constantFrom('a', 'b').map((name) => ({ name }));

const installation: Subject = {
  resource: resources.installations,
  fragment: (nulls) =>
    some(
      {
        metadata: labelled(nulls),
        spec: some(
          {
            variant: fc.constant('Calico'),
            registry: text,
            kubeletVolumePluginPath: text,
            calicoNetwork: some(
              {
                bgp: fc.constantFrom('Enabled', 'Disabled'),
                linuxDataplane: fc.constantFrom('BPF', 'Iptables', 'Nftables'),
                hostPorts: fc.constantFrom('Enabled', 'Disabled'),
                mtu: number,
                nodeAddressAutodetectionV4: some({
                  firstFound: flag,
                  interface: word,
                  cidrs: listOf(fc.constantFrom('10.0.0.0/8', '192.168.0.0/16')),
                }),
                ipPools: listOf(fc.record({ cidr: fc.constantFrom('10.0.0.0/8', '192.168.0.0/16'), name: word })),
              },
              nulls,
            ),
            controlPlaneReplicas: number,
            controlPlaneNodeSelector: mapOf(word),
            nodeMetricsPort: number,
            componentResources: listOf(
              fc.record({ componentName: fc.constantFrom('Node', 'Typha'), resourceRequirements }),
            ),
            calicoNodeDaemonSet: some({
              metadata: some({ labels: mapOf(word) }),
              spec: some({ minReadySeconds: number }),
            }),
            imagePullSecrets: listOf(deployment),
          },
          nulls,
        ),
      },
      nulls,
    ),
  status: (nulls) =>
    some({ status: some({ mtu: number, variant: fc.constant('Calico'), calicoVersion: word }, nulls) }, nulls),
  places: [
    { path: '/spec/calicoNetwork', value: some({ bgp: fc.constant('Enabled') }) },
    { path: '/spec/calicoNetwork/linuxDataplane', value: fc.constantFrom('BPF', 'Iptables') },
    { path: '/spec/registry', value: text },
  ],
};

const felixConfiguration: Subject = {
  resource: resources.felixConfigurations,
  fragment: (nulls) =>
    some(
      {
        metadata: metadata(nulls),
        spec: some(
          {
            bpfEnabled: flag,
            bpfExternalServiceMode: fc.constantFrom('Tunnel', 'DSR'),
            logSeverityScreen: fc.constantFrom('Info', 'Debug'),
            healthPort: number,
            nftablesMode: fc.constantFrom('Enabled', 'Disabled'),
            failsafeInboundHostPorts: listOf(
              fc.record(
                { port: number, protocol: fc.constant('tcp') },
                { noNullPrototype: true, requiredKeys: ['port'] },
              ),
            ),
            routeTableRange: fc.record({ min: number, max: number }),
            externalNodesList: listOf(word),
          },
          nulls,
        ),
      },
      nulls,
    ),
  status: null,
  places: [
    { path: '/spec/bpfEnabled', value: flag },
    { path: '/spec/failsafeInboundHostPorts/-', value: fc.record({ port: number, protocol: fc.constant('udp') }) },
    { path: '/metadata/annotations/a', value: text },
  ],
};

const ipPool: Subject = {
  resource: resources.ipPools,
  fragment: (nulls) =>
    some({
      metadata: metadata(nulls),
      spec: some(
        {
          cidr: fc.constantFrom('10.0.0.0/8', '192.168.0.0/16'),
          blockSize: number,
          natOutgoing: flag,
          nodeSelector: text,
          allowedUses: listOf(fc.constantFrom('Workload', 'Tunnel')),
          vxlanMode: fc.constantFrom('Always', 'Never'),
        },
        nulls,
      ),
    }),
  status: null,
  places: [
    { path: '/spec/cidr', value: fc.constant('172.16.0.0/12') },
    { path: '/spec/natOutgoing', value: flag },
  ],
};

const container = fc.record(
  {
    name: word,
    image: fc.constantFrom('calico/node', 'calico/node:v3.31.4'),
    env: keyed({ name: word }, { value: text }),
    ports: keyed({ containerPort: fc.constantFrom(80, 443) }, { protocol: fc.constantFrom('TCP', 'UDP') }),
    resources: resourceRequirements,
    volumeMounts: keyed({ mountPath: fc.constantFrom('/a', '/b') }, { name: fc.constantFrom('v') }),
    args: listOf(word),
    readinessProbe: fc.record(
      { exec: fc.record({ command: fc.constant(['true']) }), periodSeconds: fc.constantFrom(0, 5) },
      { noNullPrototype: true, requiredKeys: ['exec'] },
    ),
    securityContext: some({ privileged: flag }),
    tty: flag,
  },
  { noNullPrototype: true, requiredKeys: ['name', 'image'] },
);
const containers = fc.uniqueArray(container, { minLength: 1, maxLength: 2, selector: ({ name }) => name });
const template = fc.record({
  metadata: fc.constant({ labels: { app: 'x' } }),
  spec: fc.record(
    {
      containers,
      nodeSelector: mapOf(word),
      hostNetwork: fc.constant(false),
      serviceAccountName: fc.constantFrom('calico-node', 'other'),
      terminationGracePeriodSeconds: fc.constantFrom(0, 5),
      tolerations: listOf(fc.constant({ operator: 'Exists' })),
      volumes: fc.constant([{ name: 'v', hostPath: { path: '/v' } }]),
    },
    { noNullPrototype: true, requiredKeys: ['containers', 'volumes'] },
  ),
});
const selector = fc.constant({ matchLabels: { app: 'x' } });

const workload = (resource: Resource, others: Record<string, Json>): Subject => ({
  resource,
  fragment: (nulls) =>
    fc.record(
      {
        metadata: metadata(nulls),
        spec: fc.oneof(
          {
            weight: 3,
            arbitrary: fc.record(
              { selector, template, ...others },
              { noNullPrototype: true, requiredKeys: ['selector', 'template'] },
            ),
          },
          {
            weight: 1,
            arbitrary: some(
              {
                ...others,
                template: some({
                  spec: some({
                    nodeSelector: mapOf(word),
                    containers: fc.tuple(fc.record({ name: word, env: keyed({ name: word }, { value: text }) })),
                  }),
                }),
              },
              nulls,
            ),
          },
        ),
      },
      { noNullPrototype: true, requiredKeys: ['spec'] },
    ),
  status: null,
  places: [
    { path: '/spec/template/spec/nodeSelector', value: mapOf(word) },
    { path: '/spec/template/spec/nodeSelector/a', value: word },
    { path: '/spec/template/spec/containers/0/image', value: fc.constant('calico/node:v3.30.7') },
    { path: '/spec/template/spec/containers/0/env', value: keyed({ name: word }, { value: text }) },
    { path: '/metadata/annotations/a', value: text },
  ],
});

export const subjects: readonly Subject[] = [
  thing,
  configMap,
  installation,
  felixConfiguration,
  ipPool,
  workload(resources.daemonSets, {
    minReadySeconds: number,
    updateStrategy: fc.constantFrom({ type: 'OnDelete' }, { rollingUpdate: { maxUnavailable: 2 } }),
  }),
  workload(resources.deployments, {
    replicas: number,
    strategy: fc.constantFrom({ type: 'Recreate' }, { rollingUpdate: { maxSurge: '50%' } }),
    paused: flag,
  }),
];

export function stepsOf(subject: Subject): fc.Arbitrary<Step[]> {
  return fc.array(stepOf(subject), { minLength: 1, maxLength: 8, size: 'max' });
}

function stepOf({ fragment, status, places }: Subject): fc.Arbitrary<Step> {
  const by = fc.constantFrom('red' as const, 'green' as const, 'blue' as const);
  const on = fc.constant('main' as const);
  const onStatus = fc.constant('status' as const);
  const operation = fc
    .constantFrom(...places)
    .chain(({ path, value }) =>
      fc.oneof(
        fc.record({ op: fc.constant('add' as const), path: fc.constant(path), value }),
        fc.record({ op: fc.constant('replace' as const), path: fc.constant(path), value }),
        fc.record({ op: fc.constant('remove' as const), path: fc.constant(path) }),
      ),
    ) as fc.Arbitrary<JsonPatchOperation>;
  const operations = fc.array(operation, { minLength: 1, maxLength: 2 });
  const main: fc.WeightedArbitrary<Step>[] = [
    {
      weight: 10,
      arbitrary: fc.record({ by, on, do: fc.constant('apply' as const), force: flag, fragment: fragment('values') }),
    },
    { weight: 3, arbitrary: fc.record({ by, on, do: fc.constant('merge' as const), fragment: fragment('nulls') }) },
    { weight: 3, arbitrary: fc.record({ by, on, do: fc.constant('json' as const), operations }) },
    { weight: 2, arbitrary: fc.record({ by, on, do: fc.constant('replace' as const), fragment: fragment('values') }) },
    { weight: 1, arbitrary: fc.record({ by, on, do: fc.constant('delete' as const) }) },
  ];
  if (!status) return fc.oneof(...main);
  return fc.oneof(
    ...main,
    {
      weight: 2,
      arbitrary: fc.record({
        by,
        on: onStatus,
        do: fc.constant('apply' as const),
        force: flag,
        fragment: status('values'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ by, on: onStatus, do: fc.constant('merge' as const), fragment: status('nulls') }),
    },
  );
}
