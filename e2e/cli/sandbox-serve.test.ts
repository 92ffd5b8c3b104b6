import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { connect } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { begin, signalbox } from './testing/signalbox.ts';

test('a sandbox is served until Ctrl-C; commands beside it work on it there, and see what kubectl changed', async () => {
  const HOME = testFolder('sandbox-serve');
  const serving = begin(['sandbox', 'serve', 'standard', '-o', 'json'], { HOME });
  await serving.printed(/Ctrl-C ends it/);
  const { kind, server, kubeconfig } = JSON.parse(serving.out());
  expect({ kind, server }).toEqual({
    kind: 'ServedSandbox',
    server: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
  });
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);

  const kube = await connect({ kubeconfig });
  await kube.patch(
    { resource: resources.installations, name: 'default' },
    { type: 'merge', body: { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } } },
  );
  await kube.close();
  const status = await signalbox(['status', '--sandbox', 'standard', '-o', 'json'], { HOME });
  expect(status).toMatchObject({ code: 0 });
  expect(status.out).toContain('"BPF"');

  const second = await signalbox(['sandbox', 'serve', 'standard'], { HOME });
  expect(second).toMatchObject({ code: 0, err: expect.stringContaining('by another command') });
  expect(second.out).toBe(`kubectl --kubeconfig ${kubeconfig} get nodes\n`);
  expect(readFileSync(kubeconfig, 'utf8')).toContain(server);

  serving.child.kill('SIGINT');
  expect(await serving.ended).toMatchObject({ code: 0 });
  expect(existsSync(kubeconfig)).toBe(false);
});

test('whoever takes over from a process that was killed serves it anew', async () => {
  const HOME = testFolder('sandbox-serve');
  const killed = begin(['sandbox', 'serve', 'standard', '-o', 'json'], { HOME });
  await killed.printed(/Ctrl-C ends it/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { kubeconfig } = JSON.parse(killed.out());
  expect(existsSync(kubeconfig)).toBe(true);
  const status = await signalbox(['status', '--sandbox', 'standard', '-o', 'json'], { HOME });
  expect(status).toMatchObject({ code: 0 });
  expect(existsSync(kubeconfig)).toBe(false);
});

test('what cannot be served is refused', async () => {
  const HOME = testFolder('sandbox-serve');
  for (const [args, says] of [
    [['sandbox', 'serve'], 'serve NAME'],
    [['sandbox', 'serve', 'nope'], 'There is no sandbox "nope"'],
    [['sandbox', 'serve', 'empty', '--port', '70000'], '--port: "70000" is not a port'],
  ] as const)
    expect(await signalbox(args, { HOME })).toMatchObject({ code: 2, err: expect.stringContaining(says) });
});
