import { expect, test } from 'vitest';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { podsCommand, policyCommand } from './read-commands.ts';

test.each([
  [aHit(), 'signalbox get networkpolicies ledger-db -n payments -o yaml'],
  [
    aHit({ kind: 'GlobalNetworkPolicy', namespace: null, name: 'security.no-public' }),
    'signalbox get globalnetworkpolicies security.no-public -o yaml',
  ],
  [aHit({ kind: 'NetworkPolicy' }), 'kubectl get networkpolicies.networking.k8s.io ledger-db -n payments -o yaml'],
  [aHit({ name: '$(reboot)' }), "signalbox get networkpolicies '$(reboot)' -n payments -o yaml"],
  [aHit({ name: '--all' }), null],
  [aHit({ kind: 'EndOfTier', name: '' }), null],
  [aHit({ kind: 'Profile', name: 'kns.shop' }), null],
])('a policy is read by the command of its kind: %#', (hit, command) => expect(policyCommand(hit)).toBe(command));

const { from } = aFlow();
test.each([
  [from, 'kubectl get pods -l app=checkout -n shop -o wide'],
  [
    { ...from, labels: ['app=checkout', 'x=; reboot'] },
    "kubectl get pods -l 'app=checkout,x=; reboot' -n shop -o wide",
  ],
  [{ ...from, name: 'db-0' }, 'kubectl get pods db-0 -n shop -o wide'],
  [{ ...from, name: '-A' }, null],
  [{ ...from, labels: [] }, null],
  [{ ...from, kind: 'network' as const, namespace: null, name: 'pub' }, null],
])('pods of an end are listed by its labels, or by the name of the one: %#', (end, command) =>
  expect(podsCommand(end)).toBe(command),
);
