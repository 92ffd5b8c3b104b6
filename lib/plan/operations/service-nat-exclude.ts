import { names, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { servicesOfDnsCaches } from '../objects/object-refs.ts';
import { aName, madeTogether, ownField, patched, stepsOf, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, shortText } from '../pins/pattern.ts';

const patch = { metadata: { annotations: { [names.natExcludeAnnotation]: 'true' } } };

/**
 * Leaves DNS to NodeLocal DNSCache: eBPF would resolve the Service before the node's cache sees the query (pain E2; ≥ v3.28). Only Services whose
 * address the cache binds: any other Service that eBPF leaves alone, such as the one to which the cache forwards, would not answer.
 */
export const serviceNatExclude = defineOperation({
  id: 'service.nat-exclude',
  title: 'Leave cluster DNS to NodeLocal DNSCache',
  why: 'eBPF translates the Service of cluster DNS before the cache on the node can answer. With this annotation it does not.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) =>
    context.choices.fix.includes('feature.node-local-dns') && servicesOfDnsCaches(context).length > 0,
  mayWrite: ({ act }) => ({
    step: either(marked, severalMarked),
    undo: undoneBy('options', either(...[unmarked(ownField(act, 'target')), ...severalUnmarked(act)])),
  }),
  needs: ({ dnsServices }) =>
    dnsServices.map(({ namespace, name }) =>
      rule(resources.services, ['get', 'patch'], { ...(namespace ? { namespace } : {}), names: [name] }),
    ),
  reads: (context) =>
    servicesOfDnsCaches(context).map((target) => ({
      target,
      paths: [['metadata', 'annotations', names.natExcludeAnnotation]],
    })),
  act: (context) => together(servicesOfDnsCaches(context).map((target) => write(target, patch))).act,
  done: (context) => together(servicesOfDnsCaches(context).map((target) => write(target, patch))).done,
  undo: (context) => ({
    title: 'Give cluster DNS its earlier annotation back',
    ...together(servicesOfDnsCaches(context).map((target) => writeBack(context, target, patch))),
    phase: 'options',
  }),
});

/** A single Service gets a plain patch, as in plans of earlier versions; several Services get a sequence. */
function together(parts: ReturnType<typeof write>[]) {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  return { act: { kind: 'sequence' as const, steps: parts }, done: all(...parts.map(({ done }) => done)) };
}

const serviceRef = { resource: exactly(resources.services), namespace: aName, name: aName };
const marked = patched(serviceRef, patch);
const severalMarked = madeTogether(marked);

function unmarked(target: unknown): Fits {
  const earlier = { metadata: { annotations: { [names.natExcludeAnnotation]: either(null, shortText) } } };
  return patched(exactly(target), earlier);
}

function severalUnmarked(act: unknown): Fits[] {
  const each = stepsOf(act).map((step) => unmarked(ownField(ownField(step, 'act'), 'target')));
  return each.length === 0 ? [] : [madeTogether(either(...each))];
}
