import type { Mutation } from './mutations.ts';

/**
 * Fields whose absence has a meaning: an object without them is valid and says something else, so that a finding may rightly disappear with them. After
 * the removal of any other field, a finding must not turn into a pass.
 */
type Silence = { readonly kind: RegExp; readonly path: RegExp; readonly checks: RegExp; readonly because: string };

const silences: readonly Silence[] = [
  {
    kind: /^Service\.$/,
    path: /^spec(\.ports(\.\d+(\.protocol)?)?)?$/,
    checks: /^feature\.sctp$/,
    because: 'a port without a protocol is TCP, and a Service need not have ports',
  },
  {
    kind: /NetworkPolicy\./,
    path: /^spec(\.(ingress|egress)(\.\d+(\.(action|protocol))?)?)?$/,
    checks: /^feature\.(log-action|sctp)$/,
    because: 'a policy need not have rules, and a rule without an action never logs',
  },
  {
    kind: /^Installation\./,
    path: /^spec\.nonPrivileged$/,
    checks: /^install\.non-privileged$/,
    because: 'nonPrivileged is Disabled where it is absent',
  },
  {
    kind: /^IPPool\./,
    path: /^spec(\.ipipMode)?$/,
    checks: /^network\.overlay-choice$/,
    because: 'ipipMode is Never where it is absent',
  },
  {
    kind: /^FelixConfiguration\./,
    path: /^spec(\.(bpfEnabled|floatingIPs))?$/,
    checks: /^(node\.mixed-dataplane|feature\.floating-ips)$/,
    because: 'a configuration of one node that says nothing leaves it to the default one',
  },
  {
    kind: /^EndpointSlice\./,
    path: /^endpoints\.\d+(\.addresses(\.\d+)?)?$/,
    checks: /^endpoint\.stable$/,
    because: 'other addresses are other API servers; with none at all it is unknown',
  },
  {
    kind: /./,
    path: /^metadata\.(labels|annotations|managedFields)(\.|$)/,
    checks: /^(managed-by\.(reconciler|helm)|proxy\.no-double-management)$/,
    because: 'an object without a mark is one that nobody else has marked',
  },
  {
    kind: /^Pod\.$/,
    path: /^metadata\.annotations(\.|$)/,
    checks: /^feature\.(floating-ips|traffic-limits)$/,
    because: 'a pod without the annotation has no floating IP and no limit',
  },
];

export function maySilence(mutation: Mutation, check: string): boolean {
  if (!('path' in mutation)) return false;
  return silences.some(
    ({ kind, path, checks }) => kind.test(mutation.kind) && path.test(mutation.path) && checks.test(check),
  );
}
