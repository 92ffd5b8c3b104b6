import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { measuredFault, noneServes } from '../measured/as-measured.ts';
import { isOfMicroK8s } from '../reading/installer.ts';
import { agentNodes } from '../reading/nodes.ts';
import { kubectlArguments } from '../reading/object-subject.ts';
import { proxySubject, servesInstead } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

const kinds: Record<Exclude<Facts['proxy']['kind'], 'unknown'>, string> = {
  daemonset: 'It is the DaemonSet kube-system/kube-proxy.',
  openshift: "It is run by OpenShift's network operator.",
  embedded: "It is part of the distribution's own agent on each node.",
  'static-pods': 'It is a static pod on each node.',
  none: 'There is none.',
};

export const proxyDetected = defineCheck({
  id: 'proxy.detected',
  group: 'Service proxy',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['proxy', 'otherNetworks'],
  title: 'The kind of service proxy is known',
  gap: 'The kind of service proxy is not recognised',
  topic: 'Kind of service proxy',
  ifIgnored: 'Two proxies conflict',
  consequence: 'The plan cannot turn off such a proxy. Its rules and those of eBPF mode then conflict.',
  remedy: {
    steps: [
      'Look for kube-proxy on a node (systemd: `systemctl status kube-proxy`), and accept this where none runs.',
      'Otherwise turn it off on every node after the switch (systemd: `systemctl disable --now kube-proxy`).',
    ],
    details: ['The tool that created the cluster may have its own setting for it.'],
    fixIn: 'proxy',
  },
  source: 'spec › Service proxy',
  run: (facts) => {
    const { kind, evidence } = facts.proxy;
    const nodes = agentNodes(facts);
    // A proxy outside of Kubernetes would stay, whatever the API shows.
    const outside = measuredFault(facts, nodes, 'service-proxy');
    if (outside) return outside;
    if (kind !== 'unknown') return { kind: 'pass', because: kinds[kind], evidence };
    const products = servesInstead(facts);
    if (products.length > 0) return { kind: 'pass', because: `It is that of ${listed(products)}.`, evidence };
    if (isOfMicroK8s(facts))
      return { kind: 'pass', because: 'MicroK8s runs it in one process with the kubelet, and it stays on.', evidence };
    if (noneServes(facts, nodes))
      return {
        kind: 'pass',
        because: `No node has a service proxy, or iptables rules of one. Measured on ${counted(nodes.length, 'node')}.`,
        restsOn: ['nodes'],
      };
    if (!isCovered(facts, 'proxy')) return { kind: 'unknown', because: 'The service proxy could not be read.' };
    const [first] = evidence;
    const maybeServing = facts.installation.otherNetworks
      .filter(({ serves }) => serves === null)
      .map(({ product }) => product);
    const objects = [...new Set(evidence.map(({ object }) => object))];
    const daemonSets = objects.filter((object) => object.includes('/DaemonSet/'));
    return {
      kind: 'fail',
      because:
        facts.proxy.running === true && first
          ? `kube-proxy runs in a way that Signalbox cannot turn off: ${listed(daemonSets.length > 0 ? daemonSets : objects)}.`
          : maybeServing.length > 0
            ? `The API shows no kube-proxy here; ${listed(maybeServing)} may serve Services in its place.`
            : daemonSets.length > 0
              ? `kube-proxy is off in one DaemonSet and runs in another, which Signalbox cannot turn off: ${listed(daemonSets)}.`
              : 'The API shows no kube-proxy here; it may run as a service of each node (systemd).',
      subjects: [proxySubject(facts, 'kind not recognised')],
      ...(daemonSets.length > 0 ? { remedy: { steps: daemonSetSteps(daemonSets), fixIn: 'proxy' } } : {}),
      evidence,
    };
  },
});

/** Steps for after the switch, since before it a node without the proxy has no Services. */
function daemonSetSteps(objects: readonly string[]): string[] {
  const body = `{"spec":{"template":{"spec":{"nodeSelector":{"${names.nonCalicoSelector}":"true"}}}}}`;
  return [
    ...objects.map(
      (object) =>
        `Once eBPF is active on every node, turn it off: \`kubectl patch ${kubectlArguments(object, shellWord)} --type merge -p '${body}'\`.`,
    ),
    'Turn it off in the tool that made the cluster too, which puts it back otherwise (Gardener: `spec.kubernetes.kubeProxy.enabled: false` in the Shoot).',
  ];
}
