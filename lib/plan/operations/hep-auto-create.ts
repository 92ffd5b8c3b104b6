import { failsafeInbound, type ObjectRef, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { fieldAt } from '../objects/field.ts';
import { felix } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { patched, ref, undoneBy } from '../pins/parts.ts';
import { either, type Pattern } from '../pins/pattern.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';
import { selectedInWords } from '../upgrade/afterwards/selected-in-words.ts';

/** In its stored form: where Calico's data is in the Kubernetes API, Calico's API server keeps this object there too. */
const kubeControllersConfiguration: ObjectRef = {
  resource: resources.kubeControllersConfigurations,
  name: 'default',
};
const bodyOf = <V>(autoCreate: V) => ({ spec: { controllers: { node: { hostEndpoint: { autoCreate } } } } });

/** A field that was absent is removed whole. */
const orNothing = (key: string, value: Pattern): Pattern => ({ [key]: either(null, value) });
const earlier: Pattern = orNothing(
  'spec',
  orNothing(
    'controllers',
    orNothing('node', orNothing('hostEndpoint', { autoCreate: either(null, 'Disabled', 'Enabled') })),
  ),
);

/** spec › Enable automatic host endpoints. Which policies will select them is computed before (facts › `wouldSelect`). */
export const hepAutoCreate = defineOperation({
  id: 'hep.auto-create',
  title: 'Let Calico create a host endpoint for every node',
  why: (context) => `${selectedInWords(context.facts)} ${reachableInWords(context)}`,
  whenPaused:
    'Nodes get their host endpoints one after the other; policies that select them apply to a node as soon as it has its own.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => isRequested('host-endpoints', context),
  mayWrite: () => ({
    step: patched(ref(kubeControllersConfiguration), bodyOf('Enabled'), { kind: 'auto-host-endpoints' }),
    undo: undoneBy('options', patched(ref(kubeControllersConfiguration), earlier)),
  }),
  needs: () => [
    rule(resources.kubeControllersConfigurations, ['get', 'patch'], { names: [kubeControllersConfiguration.name] }),
    rule(resources.nodes, ['get', 'list', 'watch']),
    rule(resources.hostEndpoints, ['get', 'list', 'watch']),
    rule(resources.globalNetworkPolicies, ['list']),
  ],
  reads: [{ target: kubeControllersConfiguration, paths: [['spec', 'controllers', 'node', 'hostEndpoint']] }],
  act: write(kubeControllersConfiguration, bodyOf('Enabled')).act,
  done: all(write(kubeControllersConfiguration, bodyOf('Enabled')).done, { kind: 'auto-host-endpoints' }),
  undo: (context) => ({
    title: 'Turn automatic host endpoints off, as before: Calico removes those it created',
    ...writeBack(context, kubeControllersConfiguration, bodyOf('Enabled')),
    phase: 'options',
  }),
  usualSeconds: 30,
  deadlineSeconds: ({ facts }) => 300 + facts.nodes.length,
});

function reachableInWords(context: PlanContext): string {
  const given = fieldAt(objectOf(context.before, felix(context)), ['spec', 'failsafeInboundHostPorts']);
  const ports = Array.isArray(given)
    ? given.map((one: unknown) => `${fieldAt(one, ['protocol']) ?? 'tcp'} ${fieldAt(one, ['port'])}`)
    : failsafeInbound.map(({ protocol, port }) => `${protocol} ${port}`);
  const open = ports.length === 0 ? 'none' : ports.map(String).join(', ').toLowerCase();
  const kubelet = ports.some((port) => /\b10250$/.test(port)) ? '' : ' The kubelet’s tcp 10250 is not among them.';
  return `Whatever they say, failsafe ports keep a host reachable: ${open}.${kubelet}`;
}
