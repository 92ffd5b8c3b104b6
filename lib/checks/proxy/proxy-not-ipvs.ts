import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, installerOf, type PlatformKind, platformIn } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { measuredFault, passedEverywhere } from '../measured/as-measured.ts';
import { installerHere, isOfKubespray } from '../reading/installer.ts';
import { agentNodes } from '../reading/nodes.ts';
import {
  isProxyRollingOut,
  kubeProxyConfigId,
  lookAtTheProxy,
  proxySubject,
  whereOthersServe,
} from '../reading/proxy.ts';

/** Where platforms set the mode of a proxy without a DaemonSet and ConfigMap. */
const elsewhere: Partial<Record<PlatformKind, string>> = {
  kops: 'Set `kubeProxy.proxyMode: iptables` in the cluster spec (`kops edit cluster`), then `kops update cluster --yes` and `kops rolling-update cluster --yes`.',
  rke2: 'Set `kube-proxy-arg: [proxy-mode=iptables]` in /etc/rancher/rke2/config.yaml on every node and restart RKE2 there, one node at a time.',
  k3s: 'Start every node with `--kube-proxy-arg=proxy-mode=iptables` and restart K3s there, one node at a time.',
  talos: 'Set `cluster.proxy.mode: iptables` in the machine configuration of the control plane nodes.',
  eks: 'Set the mode in the add-on: `aws eks update-addon --cluster-name NAME --addon-name kube-proxy --configuration-values \'{"mode":"iptables"}\'`; where kube-proxy is not an add-on, in ConfigMap kube-system/kube-proxy-config, and restart its DaemonSet.',
  aks: 'Set the mode with `az aks update --kube-proxy-config`.',
};

export const proxyNotIpvs = defineCheck({
  id: 'proxy.not-ipvs',
  group: 'Service proxy',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['proxy'],
  title: 'The service proxy does not run in IPVS mode',
  gap: 'The service proxy runs in IPVS mode',
  topic: 'Mode of the service proxy',
  ifIgnored: 'Traffic to Services is lost',
  consequence:
    'In IPVS mode each node holds every Service address on the interface kube-ipvs0. It keeps them after the proxy is off, and traffic to Services on other nodes is then lost.',
  remedy: {
    steps: [
      'Change to iptables mode first, by a plan of its own.',
      'Check that kube-ipvs0 is gone from every node. A reboot removes it.',
      'Check again, and plan the switch after it.',
    ],
    autofix: 'proxy.ipvs-to-iptables',
    fixIn: 'proxy',
  },
  source: 'spec › Errors; pain B3',
  run: (facts, choices) => {
    const { kind, mode, evidence } = facts.proxy;
    if (mode === 'ipvs') {
      return {
        kind: 'fail',
        because: 'The service proxy runs in IPVS mode; iptables mode is needed before the switch.',
        subjects: [proxySubject(facts, 'mode is ipvs')],
        ...(kind === 'daemonset' && evidence.some(({ object, value }) => object.includes('/Pod/') && value === 'ipvs')
          ? { remedy: restartPods }
          : kind === 'daemonset' &&
              evidence.some(({ object }) => object === kubeProxyConfigId) &&
              !setByTool(facts, choices)
            ? {}
            : { remedy: remedyElsewhere(facts, choices) }),
        evidence,
      };
    }
    const nodes = agentNodes(facts);
    const left = measuredFault(facts, nodes, 'ipvs');
    if (left) return { ...left, remedy: ofNodes };
    const others = whereOthersServe(facts);
    if (others) return others;
    if (mode === 'unknown' && kind !== 'none' && passedEverywhere(facts, nodes, 'ipvs'))
      return {
        kind: 'pass',
        because: `No node has anything of IPVS. Measured on ${counted(nodes.length, 'node')}.`,
        restsOn: ['nodes'],
      };
    if (kind === 'none') return { kind: 'skipped', because: 'There is no service proxy.' };
    if (mode !== 'unknown') return { kind: 'pass', because: `Its mode is ${mode}.`, evidence };
    if (isProxyRollingOut(facts))
      return {
        kind: 'unknown',
        because: 'kube-proxy rolls out: pods of its earlier template may run in IPVS mode.',
        remedy: waitForPods,
        evidence,
      };
    return {
      ...lookAtTheProxy(facts),
      kind: 'unknown',
      because: 'The mode of the service proxy was not read.',
      evidence,
    };
  },
});

/** For nodes that run IPVS although the cluster's configuration has another mode. */
const ofNodes: Remedy = {
  steps: [
    'Look on these nodes with which mode the service proxy runs there, and bring it to iptables.',
    'Then take the device away, or restart the node: `ip link del kube-ipvs0`.',
    'Test the nodes again.',
  ],
  command: 'signalbox preflight',
};

/** For pods that still run IPVS although their template has another mode. */
const restartPods: Remedy = {
  steps: [
    'Start the pods of the service proxy again: some run with the flags of an earlier template.',
    'Check that kube-ipvs0 is gone from every node. A reboot removes it.',
    'Check again.',
  ],
  command: 'kubectl rollout restart daemonset -n kube-system kube-proxy',
};

const waitForPods: Remedy = {
  steps: [
    'Wait until kube-proxy has rolled out; the command says when.',
    'Where its update strategy is OnDelete, delete its pods one by one.',
    'Check again.',
  ],
  command: 'kubectl rollout status daemonset -n kube-system kube-proxy',
};

/** The remedy where the fix does not apply: it writes only the ConfigMap that kubeadm creates. */
function remedyElsewhere(facts: Facts, choices: Choices): Remedy {
  const { kind, evidence } = facts.proxy;
  const { autofix: _none, steps, ...rest } = proxyNotIpvs.remedy;
  const [, ...after] = steps;
  const source = evidence.find(({ value }) => value === 'ipvs');
  const where =
    kind === 'daemonset' && source
      ? `Set iptables where the mode was read, in ${source.object} (${source.path}), and restart the service proxy on every node.`
      : 'Switch the service proxy to iptables mode where its flags are set.';
  const platform = platformIn(facts, choices);
  return { ...rest, steps: [setByTool(facts, choices) ?? elsewhere[platform] ?? where, ...after] };
}

/** The step for a tool that has the mode in its own file and writes the ConfigMap again at its next run; null: none. */
function setByTool(facts: Facts, choices: Choices): string | null {
  const tool = isOfKubespray(facts) ? installerOf('kubespray') : installerHere(facts, choices);
  return tool?.proxyMode ?? null;
}
