import { defineCheck } from '../check.ts';
import { felixEvidence, felixField, patchFelix } from '../reading/felix.ts';
import {
  mayStillRun,
  noProxyRuns,
  orTurnOff,
  proxyAfterPlan,
  proxySubject,
  whereOthersServe,
  whileTheProxyMayStay,
} from '../reading/proxy.ts';

const cleanup = 'bpfKubeProxyIptablesCleanupEnabled';

/** About the time after the plan: a proxy that the plan turns off is no conflict. */
export const proxyNoDoubleManagement = defineCheck({
  id: 'proxy.no-double-management',
  group: 'Service proxy',
  severity: 'blocking',
  followsFrom: whileTheProxyMayStay,
  goals: ['install', 'enable'],
  reads: ['proxy', 'felix', 'platform', 'installation'],
  title: 'Calico and the service proxy do not manage the same rules after the plan',
  gap: 'Calico and the service proxy would fight over rules',
  topic: 'Rules of Calico and the service proxy',
  ifIgnored: 'Nodes become NotReady',
  consequence:
    'Calico removes the rules of a proxy that still runs, and the proxy writes them again, without end. Nodes become NotReady and API calls time out.',
  remedy: {
    steps: [`Have the plan set ${cleanup} to false in FelixConfiguration default.`],
    autofix: 'felix.cleanup-flag',
    fixIn: 'proxy',
  },
  source: 'spec › Errors; pain B1',
  run: (facts, choices) => {
    const flag = felixField(facts, cleanup);
    const evidence = [...facts.proxy.evidence, felixEvidence(facts, cleanup)];
    if (flag === false) {
      return {
        kind: 'pass',
        because: `${cleanup} is false: Calico leaves the proxy's rules alone.`,
        evidence,
        restsOn: [],
      };
    }
    const others = whereOthersServe(facts);
    if (others) return others;
    const after = proxyAfterPlan(facts, choices);
    if (after.runs === 'unknown') return mayStillRun(facts);
    if (!after.runs) return { ...noProxyRuns(facts), evidence };
    return {
      kind: 'fail',
      because: `After the plan the service proxy still runs, because ${after.because}, and ${cleanup} is ${flag === undefined ? 'not set, which means true' : String(flag)}.`,
      subjects: [
        proxySubject(facts, 'still runs after the plan'),
        { kind: 'FelixConfiguration', namespace: null, name: 'default', detail: `${cleanup} is not false` },
      ],
      remedy: {
        ...proxyNoDoubleManagement.remedy,
        steps: [...proxyNoDoubleManagement.remedy.steps, ...orTurnOff(facts, choices)],
        // In an install the FelixConfiguration does not exist yet.
        ...(choices.goal === 'install' ? {} : { command: patchFelix({ [cleanup]: false }) }),
      },
      evidence,
    };
  },
});
