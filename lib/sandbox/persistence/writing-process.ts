import { resources } from '#lib/spec/index.ts';
import { openSandbox } from '../open.ts';

/**
 * A separate process for the test of persistence: keeps a sandbox open and writes to it until it is killed, with one line on stdout for each
 * acknowledged write. With `hold` it only keeps the sandbox open.
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
