/**
 * `node service-api.ts SERVICES NODE ADDRESS KUBECONFIG ENDPOINT...`: an API server with so many Services, each with the endpoints at these addresses, from objects in
 * memory. It says `listening`. For each line `change INDEX` the first endpoint of that Service goes, or comes back; it answers with the time when that began (ns,
 * monotonic).
 */
import { createInterface } from 'node:readline';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { serveStore } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';
import { benchNamespace, benchNode, benchService, benchSlice } from './bench-services.ts';

const [, , count = '10', node = '', nodeAddress = '', kubeconfig = '', ...addresses] = process.argv;

const objects: KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: benchNamespace } },
  benchNode(node, nodeAddress),
];
for (let index = 0; index < Number(count); index++)
  objects.push(benchService(index), benchSlice(index, node, addresses));

const store = createStore({
  name: 'services',
  source: 'sandbox',
  version: 'v1.36.3',
  kinds: Object.values(resources).filter(({ group }) => !group.includes('openshift') && group !== 'projectcalico.org'),
  objects,
});
await serveStore(store, { name: 'services', kubeconfig });
console.log('listening');
/** Indexes of the Services whose first endpoint is removed. */
const isShort = new Set<number>();
createInterface({ input: process.stdin }).on('line', (line) => {
  const index = Number(line.split(' ')[1]);
  const began = process.hrtime.bigint();
  const known = isShort.has(index);
  if (known) isShort.delete(index);
  else isShort.add(index);
  store.load([benchSlice(index, node, known ? addresses : addresses.slice(1))]);
  console.log(String(began));
});
process.stdin.on('end', () => process.exit());
