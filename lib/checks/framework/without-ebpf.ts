import type { Choices } from '#lib/spec/index.ts';
import type { Check } from '../check.ts';

/** Checks that also matter for an installation with the standard data plane; all others are about eBPF mode. */
const alsoWithout: ReadonlySet<string> = new Set([
  'platform.kubernetes-version',
  'platform.eks-auto-mode',
  'permissions.plan',
  'webhooks.can-deadlock',
  'managed-by.reconciler',
  'managed-by.helm',
  'node.flexvolume-path',
  'network.mtu',
  'install.nothing-there',
  'install.half-finished',
]);

/** Checks of the endpoint, which matter without eBPF only if an address was chosen. */
const aboutTheEndpoint = ({ id, group }: Check) => group === 'API endpoint' || id === 'operator.dns-deadlock';

/** Whether a check does not apply because the goal is *install* without eBPF (`dataplane: Iptables`). */
export function isAboutEbpfAlone(check: Check, { goal, dataplane, endpoint }: Choices): boolean {
  if (goal !== 'install' || dataplane !== 'Iptables' || alsoWithout.has(check.id)) return false;
  return endpoint === undefined || !aboutTheEndpoint(check);
}

export const aboutEbpfOnly = 'The standard data plane was chosen, and this matters for eBPF alone.';
