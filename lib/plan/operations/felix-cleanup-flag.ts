import { names } from '#lib/spec/index.ts';
import { defineOperation } from '../define-operation.ts';
import { writeFelixBack, writeFelixFields } from '../felix-write.ts';
import type { Json } from '../merge-patch.ts';
import { felix } from '../places.ts';
import { isFinished } from '../proxy-removal.ts';
import { rule, writeFelix } from '../rules.ts';

/** `bpfKubeProxyIptablesCleanupEnabled`: whether Calico's agent deletes the service proxy's rules (spec › Set cleanup flag). */
export const cleanupPath = ['spec', 'bpfKubeProxyIptablesCleanupEnabled'];
export const cleanupOff: Json = { spec: { bpfKubeProxyIptablesCleanupEnabled: false } };

/** Before every switch: while both data planes live side by side nobody may delete the other's rules (pain B1). */
export const felixCleanupFlag = defineOperation({
  id: 'felix.cleanup-flag',
  title: 'Protect the service proxy’s rules from being cleaned up',
  why: 'While nodes move, Calico and the service proxy live side by side; without this Calico deletes the rules that nodes still need.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: () => true,
  settled: isFinished,
  needs: (scope) => [
    ...writeFelix(scope),
    ...scope.felix.flatMap((resource) => [
      rule(resource, ['create']),
      rule(resource, ['delete'], { names: [names.felixConfiguration] }),
    ]),
  ],
  reads: (context) => [{ target: felix(context), paths: [cleanupPath] }],
  act: (context) => writeFelixFields(context, cleanupOff).act,
  done: (context) => writeFelixFields(context, cleanupOff).done,
  until: 'felix.cleanup-restore',
  undo: (context) => ({
    title: 'Set the cleanup of the service proxy’s rules back to what it was',
    ...writeFelixBack(context, cleanupOff),
    phase: 'options',
  }),
});
