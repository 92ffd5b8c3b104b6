import { cleanupFlagPath, names } from '#lib/spec/index.ts';
import { rule, writeFelix } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { cleanupBack, cleanupOff, leftInCleanupFlag } from '../objects/cleanup-flag.ts';
import { writeFelixFields } from '../objects/felix-write.ts';
import { felix } from '../objects/object-refs.ts';
import { felixBack, felixWritten, undoneBy } from '../pins/parts.ts';
import { bool, either } from '../pins/pattern.ts';
import { isFinished, proxyRemoval, wasOn } from '../proxy/proxy-removal.ts';

const why =
  'While nodes move, Calico and the service proxy run side by side; without this Calico deletes the rules that nodes still need.';

/** Runs before every switch: while some nodes use eBPF and others the service proxy, neither may delete the other's rules (pain B1). */
export const felixCleanupFlag = defineOperation({
  id: 'felix.cleanup-flag',
  title: 'Protect the service proxy’s rules from being cleaned up',
  why: (context) => {
    const left = leftInCleanupFlag(context);
    return left === null
      ? why
      : `${why} Run ${left.run} has set it already and ended before it was set back: what was there before that run comes back, not its leftover.`;
  },
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  // Without eBPF no agent cleans up.
  appliesTo: (context) => context.choices.goal !== 'restore' || wasOn(context),
  // In an outage agents may have fallen back without a change of the configuration, which then looks finished.
  settled: (context) => context.choices.goal !== 'restore' && isFinished(context),
  // If the proxy stays, the value that an earlier run left is the wanted one.
  adopts: (context) => leftInCleanupFlag(context) !== null && proxyRemoval(context) !== 'stays',
  mayWrite: () => ({
    step: felixWritten({ spec: { bpfKubeProxyIptablesCleanupEnabled: false } }),
    undo: undoneBy('options', felixBack({ spec: { bpfKubeProxyIptablesCleanupEnabled: either(null, bool) } })),
  }),
  needs: (scope) => [
    ...writeFelix(scope),
    ...scope.felix.flatMap((resource) => [
      rule(resource, ['create']),
      rule(resource, ['delete'], { names: [names.felixConfiguration] }),
    ]),
  ],
  reads: (context) => [{ target: felix(context), paths: [cleanupFlagPath] }],
  act: (context) => writeFelixFields(context, cleanupOff).act,
  done: (context) => writeFelixFields(context, cleanupOff).done,
  until: 'felix.cleanup-restore',
  undo: (context) => ({
    title: 'Set the cleanup of the service proxy’s rules back to what it was',
    ...cleanupBack(context),
    phase: 'options',
  }),
});
