import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { runCommand } from '../testing/run-command.ts';
import { version } from './version.ts';

/** Spec › Verify version. */

const state = testFolder('version');
const run = (sandbox: string, ...argv: string[]) =>
  runCommand(version, ['--sandbox', sandbox, '--instant', ...argv], 100, { XDG_STATE_HOME: state });

test('client, cluster and Kubernetes stand on a line each, their values in column 20', async () => {
  const { out, err, code } = await run('calico-3.30');
  expect(out).toMatch(
    /^Client Version: {5}v\S+\nGit commit: {9}\S+\nCluster Version: {4}v3\.30\.7\nCluster Type: {7}\S+\nKubernetes: {9}v1\.\S+\n$/,
  );
  expect([err, code]).toEqual(['', 0]);
});

test('what the cluster does not tell is unknown, with why and how to find out', async () => {
  const { out, err, code } = await run('empty');
  expect(out).toMatch(/^Cluster Version: {4}unknown$/m);
  expect(err).toMatch(/^Cluster Version is unknown\. \S/);
  expect(code).toBe(0);
});

test('as JSON, with who told it', async () => {
  const { out } = await run('calico-3.30', '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Version',
    client: { version: expect.stringMatching(/^v/) },
    cluster: { calico: 'v3.30.7', calicoFrom: 'Installation/default status.calicoVersion', datastore: 'kubernetes' },
  });
});
