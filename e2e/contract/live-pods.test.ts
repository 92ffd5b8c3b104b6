import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Kube, type LiveKube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { containerLog, type Plane, setAnswer, startControlPlane } from '../controlplane/index.ts';

/** Calls that need a kubelet behind the API server (KWOK emulates it) or a real certificate. */
let plane: Plane;
let kube: LiveKube;
let pod: { namespace: string; name: string; container: string };
let node: string;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes: 1, like: 'none' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  ({ node, ...pod } = await aRunningProxy(kube));
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
});

test('logs from a moment on, with their times', async () => {
  const log = containerLog(plane.dir, node, 'kube-proxy');
  log.append('long ago', new Date('2026-01-01T00:00:00.900Z'));
  log.append('just now', new Date('2026-01-01T00:00:10.100Z'));
  const { container } = pod;
  expect(await kube.logs(pod, { container })).toContain('long ago\njust now\n');
  expect(await kube.logs(pod, { container, sinceTime: '2026-01-01T00:00:10.090Z' })).toBe('just now\n');
  expect(await kube.logs(pod, { container, tailLines: 1, timestamps: true })).toMatch(
    /^2026-01-01T00:00:10\.1\S*Z just now\n$/,
  );
  await expect(kube.logs(pod, { container: 'nonesuch' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(kube.logs({ ...pod, name: 'nonesuch' }, { container })).rejects.toMatchObject({ code: 'not-found' });
});

test('a command in a container', async () => {
  setAnswer(plane.dir, node, pod.container, ['what', 'is it'], 'ünïcode\nand more\n');
  expect(await kube.exec(pod, ['what', 'is it'])).toEqual({ stdout: 'ünïcode\nand more\n', stderr: '', exitCode: 0 });
  await expect(kube.exec({ ...pod, name: 'nonesuch' }, ['x'])).rejects.toMatchObject({ code: 'not-found' });
  await expect(kube.exec(pod, ['x'], { timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
});

test('a port of a pod where nothing answers', async () => {
  await expect(kube.podGet({ ...pod, port: 9099, path: '/readiness' })).rejects.toMatchObject({ code: 'unreachable' });
  await expect(kube.podGet({ ...pod, name: 'nonesuch', port: 9099, path: '/' })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('bytes to a port of a pod and back', async () => {
  const stream = (await kube.portForward?.({ ...pod, port: 9099 })) ?? expect.unreachable();
  stream.write('hello');
  expect(String((await once(stream, 'data'))[0])).toBe('hello');
  stream.end();
  await once(stream, 'close');
  await expect(kube.portForward?.({ ...pod, name: 'nonesuch', port: 1 })).rejects.toMatchObject({ code: 'not-found' });
});

test('who may not is told the exact rule', async () => {
  const stranger = await connect({ kubeconfig: plane.kubeconfigFor('stranger') });
  const at = { group: '', resource: 'pods', namespace: pod.namespace, name: pod.name };
  await expect(stranger.logs(pod, { container: pod.container })).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { ...at, verb: 'get', subresource: 'log' } },
  });
  await expect(stranger.exec(pod, ['x'])).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { ...at, verb: 'create', subresource: 'exec' } },
  });
  await expect(stranger.portForward?.({ ...pod, port: 1 })).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { ...at, verb: 'create', subresource: 'portforward' } },
  });
  await expect(stranger.podGet({ ...pod, port: 1, path: '/' })).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { ...at, verb: 'get', subresource: 'proxy' } },
  });
  await stranger.close();
});

test('the endpoint probe on a real certificate', async () => {
  const { hostname, port } = new URL(plane.url);
  expect(await kube.probeEndpoint?.({ host: hostname, port: Number(port) })).toMatchObject({
    certificate: { verified: true, names: expect.arrayContaining(['kubernetes.default.svc']) },
    ready: { status: 200, ok: true },
  });
  expect(await kube.probeEndpoint?.({ host: 'localhost', port: Number(port) })).toMatchObject({
    certificate: { verified: false, names: expect.arrayContaining(['127.0.0.1']) },
    ready: null,
  });
});

test('what is served, and by which version', async () => {
  expect(await kube.version()).toMatch(/^v1\.\d+\.\d+/);
  const { resources: served, failing } = await kube.discover();
  expect(failing).toEqual([]);
  expect(served).toContainEqual({ ...resources.daemonSets, verbs: expect.arrayContaining(['patch', 'watch']) });
  expect(served.some(({ plural }) => plural.includes('/'))).toBe(false);
});

async function aRunningProxy(client: Kube) {
  for (const deadline = performance.now() + 300_000; performance.now() < deadline; ) {
    for await (const { items } of client.list(resources.pods, {
      namespace: 'kube-system',
      labelSelector: 'k8s-app=kube-proxy',
    })) {
      for (const { metadata, spec, status } of items) {
        const nodeName = typeof spec === 'object' && spec && 'nodeName' in spec ? String(spec.nodeName) : null;
        const running = typeof status === 'object' && status && 'phase' in status && status.phase === 'Running';
        if (nodeName && running)
          return { node: nodeName, namespace: 'kube-system', name: metadata.name ?? '', container: 'kube-proxy' };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no kube-proxy pod came up');
}
