import { resources } from '#lib/spec/index.ts';
import { openSandbox } from '../open.ts';

/**
 * For the test of persistence, as a process of its own: keeps a sandbox open and writes into it until it is killed, one line on stdout for each
 * write that was acknowledged. `hold` in place of a number of writes only keeps it open.
 */
const [state = '', mode = ''] = process.argv.slice(2);
const sandbox = await openSandbox('standard', { speed: 'normal', state, operator: 'none' });
process.stdout.write('open\n');
for (let index = 0; mode === 'write'; index++) {
  await sandbox.kube.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `write-${index}`, namespace: 'default' },
    data: { index: String(index) },
  });
  process.stdout.write(`${index}\n`);
}
setInterval(() => undefined, 1_000);
