import type { Facts } from '#lib/facts/index.ts';
import { type Choices, isHosted, type PlatformKind, platformIn } from '#lib/spec/index.ts';
import type { Finding } from '../findings.ts';
import { installerHere, isOfMicroK8s } from '../reading/installer.ts';
import { proxyAfterPlan } from '../reading/proxy.ts';

type FactsAndChoices = { facts: Facts; choices: Choices };

/** Text that a remedy's steps or command may have only where the reader can act on it. `fits`: whether the reader of these findings can. */
type Rule = { pattern: RegExp; unless?: RegExp; needs: string; fits(known: FactsAndChoices): boolean };

const kindOf = ({ facts, choices }: FactsAndChoices): PlatformKind => platformIn(facts, choices);
const on =
  (...kinds: readonly PlatformKind[]) =>
  (known: FactsAndChoices) =>
    kinds.includes(kindOf(known));

const rules: readonly Rule[] = [
  {
    pattern: /\/etc\/kubernetes\/|control plane node/,
    needs: 'control plane nodes that are not the provider’s',
    fits: (known) => !isHosted(kindOf(known)),
  },
  { pattern: /\bkubeadm (?:init|join)\b/, needs: 'kubeadm', fits: on('kubeadm', 'kind', 'tkg') },
  {
    pattern: /[Pp]ut a load balancer|address of the load balancer|of an API server itself|address of an API server/,
    needs: 'API servers that are not the provider’s',
    fits: (known) => !isHosted(kindOf(known)),
  },
  {
    pattern: /let the plan turn the (?:service )?proxy off/,
    needs: 'a proxy that a plan can turn off',
    fits: ({ facts, choices }) => proxyAfterPlan(facts, { ...choices, keepProxy: false }).runs === false,
  },
  {
    pattern: /certSANs/,
    needs: 'a certificate that is the reader’s to issue',
    fits: (known) => !isHosted(kindOf(known)),
  },
  { pattern: /\/(?:etc|var\/lib)\/rancher\/rke2/, needs: 'RKE2', fits: (known) => kindOf(known) !== 'k3s' },
  { pattern: /\/(?:etc|var\/lib)\/rancher\/k3s/, needs: 'K3s', fits: on('k3s') },
  {
    pattern: /`kops edit/,
    needs: 'kOps',
    fits: (known) => on('kops')(known) || installerHere(known.facts, known.choices)?.id === 'kops',
  },
  { pattern: /\btalosctl\b|machine configuration/, needs: 'Talos', fits: on('talos') },
  {
    pattern: /\baws eks\b/,
    // kOps runs that network too, without an add-on; then the remedy also names the other way.
    unless: /update-addon --addon-name vpc-cni`\), or /,
    needs: 'EKS',
    fits: on('eks'),
  },
  { pattern: /\baz aks\b/, needs: 'AKS', fits: on('aks') },
  {
    pattern: /\bsystemctl\b/,
    unless: /systemd: `/,
    needs: 'systemd and a shell',
    fits: (known) => kindOf(known) !== 'talos',
  },
  {
    pattern: /\bpgrep -af kube-proxy\b|`systemctl [a-z -]+ kube-proxy`/,
    needs: 'a kube-proxy with a process of its own',
    fits: ({ facts }) => !isOfMicroK8s(facts),
  },
  {
    pattern: /\/var\/snap\/microk8s\//,
    needs: 'MicroK8s',
    fits: ({ facts }) => isOfMicroK8s(facts),
  },
  {
    pattern: /(?:deployment|rollout restart) \S*tigera-operator|deployment tigera-operator/,
    needs: 'a Deployment of the operator',
    fits: ({ facts: { installation } }) =>
      installation.operators.length > 0 || !installation.method.startsWith('manifest'),
  },
  {
    pattern: /kubectl [^\n`]*\b[a-z]+\.projectcalico\.org\b/,
    unless: /kubectl [^\n`]*\.crd\.projectcalico\.org\b/,
    needs: "Calico's API server",
    fits: () => false,
  },
  {
    pattern: /get secrets?\b(?=[^\n`]*(?: -A\b| --all-namespaces))|get secrets?\b(?![^\n`]*owner=helm)/,
    needs: 'nobody: Secrets of others are nothing to us',
    fits: () => false,
  },
  {
    pattern: /[Kk]eep the (?:service )?proxy running/,
    unless: /--keep-proxy/,
    needs: 'its flag by name',
    fits: () => false,
  },
  {
    pattern: /operator-migration/,
    needs: 'a manifest that no tool writes again',
    fits: ({ facts, choices }) => installerHere(facts, choices) === null,
  },
];

/** Violations of these rules by a remedy, as sentences; empty: the reader can carry out all of it on this cluster. */
export function notForHere({ id, status, remedy }: Finding, known: FactsAndChoices): string[] {
  if (status === 'pass' || status === 'skipped') return [];
  const texts = [...remedy.steps, ...(remedy.details ?? []), ...(remedy.command ?? '').split('\n')];
  return texts.flatMap((text) =>
    rules
      .filter(({ pattern, unless, fits }) => pattern.test(text) && !unless?.test(text) && !fits(known))
      .map(({ needs }) => `${id} on ${kindOf(known)} needs ${needs}: ${text}`),
  );
}
