import type { Choices } from '#lib/spec/index.ts';
import type { Check } from '../check.ts';

/** What also counts for an installation on the standard data plane; everything else judges eBPF mode. */
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

/** The address of the API server is written only where one was chosen: without eBPF nobody needs it. */
const aboutTheEndpoint = ({ id, group }: Check) => group === 'API endpoint' || id === 'operator.dns-deadlock';

/** Whether a check has nothing to judge, because *install* was asked for without eBPF (`dataplane: Iptables`). */
export function isAboutEbpfAlone(check: Check, { goal, dataplane, endpoint }: Choices): boolean {
  if (goal !== 'install' || dataplane !== 'Iptables' || alsoWithout.has(check.id)) return false;
  return endpoint === undefined || !aboutTheEndpoint(check);
}

export const notAsked = 'The standard data plane was chosen, and this matters for eBPF alone.';
