import { memoryInFolder, ownIdentity } from '#lib/run/index.ts';
import { makeHost } from '../make-host.ts';
import { standard, startOn } from './a-page.ts';

/** A process for the test of recovery: starts a run on the kept sandbox in real time, prints its id, and goes on until it is killed. */
const [state = ''] = process.argv.slice(2);
const { host } = await makeHost({
  env: { HOME: state },
  kubeconfig: undefined,
  stateFolder: state,
  identity: await ownIdentity(state),
  memory: await memoryInFolder(state),
  log: () => undefined,
  signal: new AbortController().signal,
});
process.stdout.write(`${await startOn(host, standard)}\n`);
