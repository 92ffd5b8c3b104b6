import type { Facts } from '#lib/facts/index.ts';
import { type Choices, isHosted, type PlatformKind } from '#lib/spec/index.ts';
import type { Finding } from '../findings.ts';
import { installerHere, isOfMicroK8s } from '../reading/installer.ts';
import { proxyAfterPlan } from '../reading/proxy.ts';

type Place = { facts: Facts; choices: Choices };

/** Text that a remedy's steps or command may have only where the reader can act on it. `fits`: whether that is so at this place. */
type Rule = { says: RegExp; unless?: RegExp; needs: string; fits(place: Place): boolean };

const kindOf = ({ facts, choices }: Place): PlatformKind => choices.platform ?? facts.platform.kind;
const on =
  (...kinds: readonly PlatformKind[]) =>
  (place: Place) =>
    kinds.includes(kindOf(place));

const rules: readonly Rule[] = [
  {
    says: /\/etc\/kubernetes\/|control plane node/,
    needs: 'control plane nodes that are not the provider’s',
    fits: (place) => !isHosted(kindOf(place)),
  },
  { says: /\bkubeadm (?:init|join)\b/, needs: 'kubeadm', fits: on('kubeadm', 'kind', 'tkg') },
  {
    says: /[Pp]ut a load balancer|address of the load balancer|of an API server itself|address of an API server/,
    needs: 'API servers that are not the provider’s',
    fits: (place) => !isHosted(kindOf(place)),
  },
  {
    says: /let the plan turn the (?:service )?proxy off/,
    needs: 'a proxy that a plan can turn off',
    fits: ({ facts, choices }) => proxyAfterPlan(facts, { ...choices, keepProxy: false }).runs === false,
  },
  { says: /certSANs/, needs: 'a certificate that is the reader’s to issue', fits: (place) => !isHosted(kindOf(place)) },
  { says: /\/(?:etc|var\/lib)\/rancher\/rke2/, needs: 'RKE2', fits: (place) => kindOf(place) !== 'k3s' },
  { says: /\/(?:etc|var\/lib)\/rancher\/k3s/, needs: 'K3s', fits: on('k3s') },
  {
    says: /`kops edit/,
    needs: 'kOps',
    fits: (place) => on('kops')(place) || installerHere(place.facts, place.choices)?.id === 'kops',
  },
  { says: /\btalosctl\b|machine configuration/, needs: 'Talos', fits: on('talos') },
  {
    says: /\baws eks\b/,
    // kOps runs that network too, without an add-on; then the remedy also names the other way.
    unless: /update-addon --addon-name vpc-cni`\), or /,
    needs: 'EKS',
    fits: on('eks'),
  },
  { says: /\baz aks\b/, needs: 'AKS', fits: on('aks') },
  {
    says: /\bsystemctl\b/,
    unless: /systemd: `/,
    needs: 'systemd and a shell',
    fits: (place) => kindOf(place) !== 'talos',
  },
  {
    says: /\bpgrep -af kube-proxy\b|`systemctl [a-z -]+ kube-proxy`/,
    needs: 'a kube-proxy with a process of its own',
    fits: ({ facts }) => !isOfMicroK8s(facts),
  },
  {
    says: /\/var\/snap\/microk8s\//,
    needs: 'MicroK8s',
    fits: ({ facts }) => isOfMicroK8s(facts),
  },
  {
    says: /(?:deployment|rollout restart) \S*tigera-operator|deployment tigera-operator/,
    needs: 'a Deployment of the operator',
    fits: ({ facts: { installation } }) =>
      installation.operators.length > 0 || !installation.method.startsWith('manifest'),
  },
  {
    says: /kubectl [^\n`]*\b[a-z]+\.projectcalico\.org\b/,
    unless: /kubectl [^\n`]*\.crd\.projectcalico\.org\b/,
    needs: "Calico's API server",
    fits: () => false,
  },
  {
    says: /get secrets?\b(?=[^\n`]*(?: -A\b| --all-namespaces))|get secrets?\b(?![^\n`]*owner=helm)/,
    needs: 'nobody: Secrets of others are nothing to us',
    fits: () => false,
  },
  {
    says: /[Kk]eep the (?:service )?proxy running/,
    unless: /--keep-proxy/,
    needs: 'its flag by name',
    fits: () => false,
  },
  {
    says: /operator-migration/,
    needs: 'a manifest that no tool writes again',
    fits: ({ facts, choices }) => installerHere(facts, choices) === null,
  },
];

/** Violations of these rules by a remedy at this place, in words; empty: the reader can do all of it here. */
export function notForHere({ id, status, remedy }: Finding, place: Place): string[] {
  if (status === 'pass' || status === 'skipped') return [];
  const texts = [...remedy.steps, ...(remedy.details ?? []), ...(remedy.command ?? '').split('\n')];
  return texts.flatMap((text) =>
    rules
      .filter(({ says, unless, fits }) => says.test(text) && !unless?.test(text) && !fits(place))
      .map(({ needs }) => `${id} on ${kindOf(place)} needs ${needs}: ${text}`),
  );
}
