import { kubeProxyHealthPort, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { measuredFault, noneServes } from '../measured/as-measured.ts';
import { felixEvidence, felixField } from '../reading/felix.ts';
import { agentNodes } from '../reading/nodes.ts';
import {
  mayStillRun,
  noProxyRuns,
  orTurnOff,
  proxyAfterPlan,
  proxySubject,
  whereOthersServe,
  whileTheProxyMayStay,
} from '../reading/proxy.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';

const field = 'bpfKubeProxyHealthzPort';
/** The port that Calico's documentation uses beside a kube-proxy that stays. */
const freePort = 10258;

export const proxyHealthPort = defineCheck({
  id: 'proxy.health-port',
  group: 'Service proxy',
  severity: 'warning',
  followsFrom: whileTheProxyMayStay,
  goals: ['install', 'enable'],
  reads: ['proxy', 'platform', 'installation', 'felix'],
  title: 'Calico and the service proxy use different health ports',
  gap: 'Calico and the service proxy use the same health port',
  topic: 'Health port of the service proxy',
  ifIgnored: 'Load balancers keep asking the proxy',
  consequence: `Both answer health checks at port ${kubeProxyHealthPort} of the node. Calico's agent finds the port taken and retries every second, and load balancers keep asking the proxy.`,
  remedy: {
    steps: [`Have the plan set ${field} to ${freePort} in FelixConfiguration default.`],
    autofix: 'felix.options',
    fixIn: 'proxy',
  },
  source: 'pain B2',
  run: (facts, choices) => {
    const others = whereOthersServe(facts);
    if (others) return others;
    const nodes = agentNodes(facts);
    const set = felixField(facts, field);
    const taken =
      set === undefined || set === null || set === kubeProxyHealthPort
        ? measuredFault(facts, nodes, 'health-port')
        : null;
    if (taken) return taken;
    const planned = proxyAfterPlan(facts, choices);
    const after = planned.runs === 'unknown' && noneServes(facts, nodes) ? ({ runs: false } as const) : planned;
    if (after.runs === 'unknown') return { ...mayStillRun(facts), restsOn: ['proxy', 'platform'] };
    if (!after.runs) return noProxyRuns(facts);
    const release = targetRelease(facts, choices);
    // Releases up to v3.30.4 have the field under a misspelt name.
    const isOld = release !== null && releaseAtLeast(release, '3.30.5') === 'no';
    if (isOld)
      return {
        kind: 'skipped',
        because: `${releaseName(release)} has no setting for this port: ${field} exists from v3.30.5 on. Its agent logs that ${kubeProxyHealthPort} is taken, and keeps working.`,
      };
    const port = felixField(facts, field);
    const evidence = [...facts.proxy.evidence, felixEvidence(facts, field)];
    if (port !== undefined && port !== null && port !== kubeProxyHealthPort)
      return { kind: 'pass', because: `${field} is ${String(port)}.`, evidence };
    return {
      kind: 'fail',
      because: `The service proxy still runs after the plan, because ${after.because}, and ${field} is ${port === kubeProxyHealthPort ? kubeProxyHealthPort : `not set, which means ${kubeProxyHealthPort}`}: both want that port.`,
      subjects: [
        proxySubject(facts, 'still runs after the plan'),
        { kind: 'FelixConfiguration', namespace: null, name: 'default', detail: `${field} is not another port` },
      ],
      remedy: {
        ...proxyHealthPort.remedy,
        steps: [...proxyHealthPort.remedy.steps, ...orTurnOff(facts, choices)],
      },
      evidence,
    };
  },
});
