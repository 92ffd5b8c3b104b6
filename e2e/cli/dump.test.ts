import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { begin, signalbox } from './testing/signalbox.ts';

const statuses = (out: string) => {
  const { findings } = JSON.parse(out) as { findings: { id: string; status: string }[] };
  return findings.filter(({ id }) => id !== 'permissions.plan').map(({ id, status }) => `${id} ${status}`);
};

test('a dump of a cluster over its API gives the findings of the cluster', async () => {
  const HOME = testFolder('dump');
  const serving = begin(['sandbox', 'serve', 'helm', '-o', 'json'], { HOME });
  await serving.printed(/Ctrl-C ends it/);
  const { kubeconfig } = JSON.parse(serving.out()) as { kubeconfig: string };
  const to = join(HOME, 'cluster.tgz');
  const flags = ['--kubeconfig', kubeconfig];
  const written = await signalbox(['dump', ...flags, '--redact', '-o', to, '--summary', 'json'], { HOME });
  expect(written).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(written.out)).toMatchObject({ kind: 'Dump', complete: true, redacted: true, place: to });
  const goal = ['--goal', 'enable', '-o', 'json'];
  const live = statuses((await signalbox(['check', ...flags, ...goal], { HOME })).out);
  const dumped = statuses((await signalbox(['check', '--from', to, ...goal], { HOME })).out);
  const only = /^(endpoint\.(reachable|certificate|resolvable)|managed-by\.helm) /;
  expect(dumped.filter((one) => !live.includes(one) && !only.test(one))).toEqual([]);

  // Ctrl-C while it reads: nothing is left, whatever it was doing.
  const interrupted = begin(['dump', ...flags, '-o', join(HOME, 'half')], { HOME });
  interrupted.child.kill('SIGINT');
  expect((await interrupted.ended).code).not.toBe(0);
  expect(existsSync(join(HOME, 'half'))).toBe(false);
  expect(readdirSync(HOME).filter((name) => name.startsWith('.signalbox-dump'))).toEqual([]);
});
