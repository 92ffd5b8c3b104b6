import { Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { createStore } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { withCalicoOfEtcd } from './calico-of-etcd.ts';

/** The part of an etcd that is read: a real gRPC server with its keys in order, and pages. */
let server: Server | null = null;
afterEach(() => server?.forceShutdown());

const root = '/calico/resources/v3/projectcalico.org';
const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([(number << 3) | 2]), long(bytes), bytes]);
const long = ({ length }: Buffer) => Buffer.from(length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7]);

type Asked = { key: string; end: string; limit: number };

async function anEtcd(
  keys: Readonly<Record<string, string>>,
  answer?: (request: Asked) => Buffer | Partial<ServiceError>,
) {
  const requests: Asked[] = [];
  const page = 2;
  const respond = (request: Asked): Buffer | Partial<ServiceError> => {
    const inRange = ([key]: [string, string]) =>
      request.end === '' ? key === request.key : key >= request.key && key < request.end;
    const found = Object.entries(keys).filter(inRange);
    return Buffer.concat([
      ...found.slice(0, page).map(([key, value]) => {
        const revisions = Buffer.from([0x10, 0x96, 0x01, 0x20, 0x03]);
        return field(2, Buffer.concat([field(1, Buffer.from(key)), revisions, field(5, Buffer.from(value))]));
      }),
      ...(found.length > page ? [Buffer.from([0x18, 0x01])] : []),
    ]);
  };
  server = new Server();
  server.register(
    '/etcdserverpb.KV/Range',
    (call: { request: Asked }, callback: (error: Partial<ServiceError> | null, bytes?: Buffer) => void) => {
      requests.push(call.request);
      const answered = (answer ?? respond)(call.request);
      if (Buffer.isBuffer(answered)) callback(null, answered);
      else callback(answered);
    },
    (bytes: Buffer) => bytes,
    (bytes: Buffer): Asked => {
      const keyLength = bytes[1] ?? 0;
      const key = bytes.subarray(2, 2 + keyLength).toString();
      const rest = bytes.subarray(2 + keyLength);
      const end = rest[0] === 0x12 ? rest.subarray(2, 2 + (rest[1] ?? 0)).toString() : '';
      const [low = 0, high = 0] = rest.subarray(end === '' ? 1 : 3 + end.length);
      return { key, end, limit: low > 0x7f ? (low & 0x7f) | (high << 7) : low };
    },
    'unary',
  );
  const port = await new Promise<number>((resolve, reject) =>
    server?.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    ),
  );
  return { requests, respond, endpoint: new URL(`http://127.0.0.1:${port}`) };
}

const felix = (name: string) =>
  JSON.stringify({ kind: 'FelixConfiguration', apiVersion: 'projectcalico.org/v3', metadata: { name }, spec: {} });
const information = JSON.stringify({
  kind: 'ClusterInformation',
  apiVersion: 'projectcalico.org/v3',
  metadata: { name: 'default' },
  spec: { calicoVersion: 'v3.31.4' },
});
const keys = {
  [`${root}/clusterinformations/default`]: information,
  [`${root}/felixconfigurations/default`]: felix('default'),
  [`${root}/felixconfigurations/node.a`]: felix('node.a'),
  [`${root}/felixconfigurations/node.b`]: felix('node.b'),
  [`${root}/felixconfigurations/nonsense`]: '{',
  [`${root}/felixconfigurations2/default`]: felix('of another kind'),
};
const kinds = [resources.felixConfigurations, resources.configMaps];
const left = {
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: { name: 'default' },
  spec: {},
};
const cluster = () => createStore({ name: 'lab', source: 'live', kinds, objects: [left] });
const open = (...endpoints: URL[]) => withCalicoOfEtcd(cluster(), { endpoints, ca: null, client: null }, {});

test('what Calico keeps in etcd is read as its own API would show it, page by page; what lies in the other datastore counts for nothing', async () => {
  const etcd = await anEtcd(keys);
  const { kube, close } = await open(etcd.endpoint);
  try {
    const info = await kube.get({ resource: resources.clusterInformationsV3, name: 'default' });
    expect(info).toMatchObject({ apiVersion: 'projectcalico.org/v3', spec: { calicoVersion: 'v3.31.4' } });
    const found: (string | undefined)[] = [];
    for await (const { items } of kube.list(resources.felixConfigurationsV3))
      found.push(...items.map(({ metadata }) => metadata.name));
    expect(found).toEqual(['default', 'node.a', 'node.b']);
    await expect(Array.fromAsync(kube.list(resources.felixConfigurations))).rejects.toThrow('counts for nothing here');
    expect(await kube.get({ resource: resources.felixConfigurations, name: 'default' })).toBeNull();
  } finally {
    close();
  }
});

test.each<[string, (() => Buffer | Partial<ServiceError>) | undefined, string]>([
  ['an etcd of something else', () => Buffer.alloc(0), 'holds no Calico'],
  [
    'a user without rights',
    () => ({ code: status.PERMISSION_DENIED, details: 'etcdserver: permission denied' }),
    'does not let this certificate read',
  ],
  ['bytes that are no answer', () => Buffer.from([0x12, 0x7f, 0x00]), 'is not an etcd of version 3'],
  ['an error of its own', () => ({ code: status.UNKNOWN, details: 'mvcc' }), 'ended the call with an error: mvcc'],
  [
    'another service',
    () => ({ code: status.UNIMPLEMENTED, details: 'unknown service' }),
    'is not an etcd of version 3',
  ],
])('%s is said before anything else is read', async (_name, answer, sentence) => {
  const { endpoint } = await anEtcd({}, answer);
  await expect(open(endpoint)).rejects.toThrow(sentence);
});

test('objects that are too large for one answer are read in smaller pages; a single one that is too large is an error', async () => {
  let most = 3;
  const etcd: Awaited<ReturnType<typeof anEtcd>> = await anEtcd(keys, (request) =>
    request.limit > most
      ? { code: status.RESOURCE_EXHAUSTED, details: 'message larger than max' }
      : etcd.respond(request),
  );
  const { kube, close } = await open(etcd.endpoint);
  try {
    const listed = () => Array.fromAsync(kube.list(resources.felixConfigurationsV3));
    expect((await listed()).flatMap(({ items }) => items)).toHaveLength(3);
    most = 0;
    await expect(listed()).rejects.toThrow('too large, or it is overloaded');
  } finally {
    close();
  }
});

test('if one address does not answer, the next one is used from then on', async () => {
  const etcd = await anEtcd(keys);
  const { kube, close } = await open(new URL('http://127.0.0.1:1'), etcd.endpoint);
  try {
    await kube.get({ resource: resources.clusterInformationsV3, name: 'default' });
    expect(etcd.requests).toHaveLength(2);
  } finally {
    close();
  }
  await expect(open(new URL('http://127.0.0.1:1'))).rejects.toThrow('etcd at 127.0.0.1:1 does not answer');
});
