import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aConsole, closeConsoles } from '#lib/console/host/testing/a-console.ts';
import { enableOn, okValue } from '#lib/console/host/testing/a-page.ts';
import { consoleSocket } from '#lib/console/instance/testing/console-socket.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { listRuns, ownIdentity } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { parseFlags } from '../flags.ts';
import { clusterFlags, journalFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { plain } from '../terminal/terminal.ts';
import { handOver } from './hand-over.ts';

/** `apply --sandbox` beside a console of the same state folder: one process at a time can have a sandbox open. */
test('a sandbox that the console has open is worked on there, and the console carries the plan', async () => {
  const state = testFolder('hand-over-sandbox');
  const folder = join(state, 'signalbox');
  await mkdir(folder, { mode: 0o700 });
  const console = await aConsole({ state: folder, identity: await ownIdentity(folder) });
  const socket = await consoleSocket(console, folder);
  const slug = (await console.host.clusters()).find(({ name }) => name === 'standard')?.slug ?? '';
  const { plan } = (await enableOn(console.host, slug)).review;
  const output: string[] = [];
  const invocation: Invocation = {
    args: [],
    flags: parseFlags(['--sandbox', 'standard'], { ...clusterFlags, ...journalFlags }).flags,
    env: { XDG_STATE_HOME: state, HOME: state },
    signal: new AbortController().signal,
    terminal: {
      out: (text) => output.push(text),
      err: (text) => output.push(text),
      isTerminal: false,
      canAsk: false,
      columns: 80,
      paint: plain,
      verbosity: 'normal',
      ask: async () => null,
    },
  };
  try {
    await withCluster(invocation, 'kept', async (cluster) => {
      expect(await listRuns(cluster.kube, journalNamespaces)).toEqual([]);
      const run = await handOver(invocation, cluster, plan);
      expect(output).toEqual([`The console on this machine carries out run ${run}, also after this command ends.`]);
      expect(okValue(await console.host.runs(slug)).runs.map((one) => one.run)).toEqual([run]);
    });
  } finally {
    await closeConsoles();
    socket.close();
  }
  // Where no console runs, this process has it open itself, and carries the plan.
  await withCluster(invocation, 'kept', async (cluster) => {
    expect(cluster.inConsole).toBeUndefined();
    expect(await handOver(invocation, cluster, plan)).toBeNull();
  });
});
