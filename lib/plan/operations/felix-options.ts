import type { Fields } from '#lib/base/records.ts';
import { type Choices, knownCgroupPaths } from '#lib/spec/index.ts';
import { writeFelix } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { fixedCgroupPath } from '../fixes.ts';
import { writeFelixBack, writeFelixFields } from '../objects/felix-write.ts';
import { felix } from '../objects/object-refs.ts';
import type { PlanContext } from '../operation.ts';
import { felixBack, felixWritten, undoneBy } from '../pins/parts.ts';
import { either, integer, maybe, type Pattern, text } from '../pins/pattern.ts';

/** The answers that set fields of FelixConfiguration (calico.md §5), one row for each option. */
const options: readonly {
  field: string;
  value(choices: Choices, context: PlanContext): unknown;
  /** Values that are allowed under these choices; undefined: none. */
  pinned(choices: Choices): Pattern;
  /** Values that may have been there before (calico.md §5). */
  earlier: Pattern;
  title: string;
}[] = [
  {
    field: 'bpfExternalServiceMode',
    value: ({ dsr }) => (dsr ? 'DSR' : undefined),
    pinned: ({ dsr }) => (dsr ? 'DSR' : undefined),
    // The definition allows any case, and an empty value.
    earlier: text(/^(Tunnel|DSR)?$/i),
    title: 'answers go straight back to the client (DSR)',
  },
  {
    // If the service proxy stays, it uses its own health port (pain B2).
    field: 'bpfKubeProxyHealthzPort',
    value: ({ fix }) => (fix.includes('proxy.health-port') ? 10258 : undefined),
    pinned: ({ fix }) => (fix.includes('proxy.health-port') ? 10258 : undefined),
    // The definition has no bounds.
    earlier: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    title: 'health checks are answered at port 10258',
  },
  {
    field: 'cgroupV2Path',
    value: (_choices, context) => fixedCgroupPath(context),
    pinned: ({ fix }) => (fix.includes('node.cgroup-path') ? either(...knownCgroupPaths) : undefined),
    earlier: text(/^[^\0]{0,1024}$/),
    title: 'cgroup2 is mounted where an immutable system allows it',
  },
  // Both fields, or pods on the host’s network cannot reach Services (pain E3, E4).
  {
    field: 'bpfConnectTimeLoadBalancing',
    value: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Disabled' : undefined),
    pinned: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Disabled' : undefined),
    earlier: either('TCP', 'Enabled', 'Disabled'),
    title: 'the service mesh sees the addresses of Services',
  },
  {
    field: 'bpfHostNetworkedNATWithoutCTLB',
    value: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Enabled' : undefined),
    pinned: ({ fix }) => (fix.includes('feature.service-mesh') ? 'Enabled' : undefined),
    earlier: either('Enabled', 'Disabled'),
    title: 'connections of the host itself still reach Services',
  },
];

function chosen(context: PlanContext) {
  return options.filter((option) => option.value(context.choices, context) !== undefined);
}

function patch(context: PlanContext): Fields {
  return {
    spec: Object.fromEntries(chosen(context).map(({ field, value }) => [field, value(context.choices, context)])),
  };
}

/** Options of eBPF mode. They are set before it is in use, because a later change restarts every agent once more. */
export const felixOptions = defineOperation({
  id: 'felix.options',
  title: (context) =>
    `Set how eBPF works: ${chosen(context)
      .map(({ title }) => title)
      .join(', ')}`,
  why: 'Chosen options. They take effect with the switch.',
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => chosen(context).length > 0,
  mayWrite: (_operation, choices) => {
    const rows = options.flatMap(({ field, pinned }) => {
      const value = pinned(choices);
      return value === undefined ? [] : [[field, maybe(value)] as const];
    });
    return {
      step: felixWritten({ spec: Object.fromEntries(rows) }),
      undo: undoneBy(
        'options',
        felixBack({
          spec: Object.fromEntries(options.map(({ field, earlier }) => [field, maybe(either(null, earlier))])),
        }),
      ),
    };
  },
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
