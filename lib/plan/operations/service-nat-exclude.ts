import { names, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { kubeDns } from '../objects/object-refs.ts';
import { patched, ref, undoneBy } from '../pins/parts.ts';
import { either, shortText } from '../pins/pattern.ts';

const patch = { metadata: { annotations: { [names.natExcludeAnnotation]: 'true' } } };

/** Leaves DNS to NodeLocal DNSCache: eBPF would resolve the Service before the node’s cache sees the query (pain E2; ≥ v3.28). */
export const serviceNatExclude = defineOperation({
  id: 'service.nat-exclude',
  title: 'Leave cluster DNS to NodeLocal DNSCache',
  why: 'eBPF resolves the Service of cluster DNS before the cache on the node can answer; with this annotation it stays out of the way.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: ({ choices }) => choices.fix.includes('feature.node-local-dns'),
  mayWrite: () => ({
    step: patched(ref(kubeDns), patch),
    undo: undoneBy(
      'options',
      patched(ref(kubeDns), { metadata: { annotations: { [names.natExcludeAnnotation]: either(null, shortText) } } }),
    ),
  }),
  needs: () => [
    rule(resources.services, ['get', 'patch'], { namespace: names.systemNamespace, names: [names.kubeDnsService] }),
  ],
  reads: [{ target: kubeDns, paths: [['metadata', 'annotations', names.natExcludeAnnotation]] }],
  act: write(kubeDns, patch).act,
  done: write(kubeDns, patch).done,
  undo: (context) => ({
    title: 'Give cluster DNS its earlier annotation back',
    ...writeBack(context, kubeDns, patch),
    phase: 'options',
  }),
});
