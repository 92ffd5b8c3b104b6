import type { Choices } from '#lib/spec/index.ts';
import { defineOperation } from '../define-operation.ts';
import { writeFelixBack, writeFelixFields } from '../felix-write.ts';
import { mendedCgroupPath } from '../mends.ts';
import type { Json } from '../merge-patch.ts';
import type { PlanContext } from '../operation.ts';
import { felix } from '../places.ts';
import { writeFelix } from '../rules.ts';

/** Which answer sets which field of FelixConfiguration (calico.md §5). One row an option. */
const options: readonly { field: string; value(choices: Choices, context: PlanContext): unknown; title: string }[] = [
  {
    field: 'bpfExternalServiceMode',
    value: ({ dsr }) => (dsr ? 'DSR' : undefined),
    title: 'answers go straight back to the client (DSR)',
  },
  {
    // Beside a service proxy that stays: its own health port is taken (pain B2).
    field: 'bpfKubeProxyHealthzPort',
    value: ({ fix }) => (fix.includes('proxy.health-port') ? 10258 : undefined),
    title: 'health checks are answered at port 10258',
  },
  {
    field: 'cgroupV2Path',
    value: (_choices, context) => mendedCgroupPath(context),
    title: 'cgroup2 is mounted where an immutable system allows it',
  },
  // Both, or Services could not be reached from pods on the host’s network (pain E3, E4).
  {
    field: 'bpfConnectTimeLoadBalancing',
    value: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Disabled' : undefined),
    title: 'the service mesh sees the addresses of Services',
  },
  {
    field: 'bpfHostNetworkedNATWithoutCTLB',
    value: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Enabled' : undefined),
    title: 'the host’s own connections find Services all the same',
  },
];

function chosen(context: PlanContext) {
  return options.filter((option) => option.value(context.choices, context) !== undefined);
}

function patch(context: PlanContext): Json {
  return {
    spec: Object.fromEntries(chosen(context).map(({ field, value }) => [field, value(context.choices, context)])),
  };
}

/** Options of the eBPF data plane, set before it is in use: changing them later restarts every agent once more. */
export const felixOptions = defineOperation({
  id: 'felix.options',
  title: (context) =>
    `Set how eBPF works: ${chosen(context)
      .map(({ title }) => title)
      .join(', ')}`,
  why: 'These were chosen; they take effect with the switch.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => chosen(context).length > 0,
  needs: writeFelix,
  reads: (context) => [{ target: felix(context), paths: chosen(context).map(({ field }) => ['spec', field]) }],
  act: (context) => writeFelixFields(context, patch(context)).act,
  done: (context) => writeFelixFields(context, patch(context)).done,
  undo: (context) => ({
    title: 'Set the options of eBPF back to what they were',
    ...writeFelixBack(context, patch(context)),
    phase: 'options',
  }),
});
