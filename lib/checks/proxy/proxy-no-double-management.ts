import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { defineCheck } from '../check.ts';
import { felixEvidence, felixField, patchFelix } from '../reading/felix.ts';
import {
  mayStillRun,
  noProxyRuns,
  orTurnOff,
  proxyAfterPlan,
  proxyIsOff,
  proxySubject,
  whereOthersServe,
  whileTheProxyMayStay,
} from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

const cleanup = 'bpfKubeProxyIptablesCleanupEnabled';

/**
 * About the time after the plan: a proxy that the plan turns off is no conflict, because until then the plan sets the flag to false in `default`. A
 * FelixConfiguration of a node beats that, so there it is a conflict also until then.
 */
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
    const ofNodes = proxyIsOff(facts) === true ? [] : facts.installation.cleaningUp;
    if (flag === false && ofNodes.length === 0) {
      return {
        kind: 'pass',
        because: `${cleanup} is false: Calico leaves the proxy's rules alone.`,
        evidence,
        restsOn: ['felix'],
      };
    }
    const others = whereOthersServe(facts);
    if (others) return others;
    const after = proxyAfterPlan(facts, choices);
    if (after.runs === 'unknown') return mayStillRun(facts);
    const restsOn =
      proxyIsOff(facts) === true ? noProxyRuns(facts).restsOn : [...noProxyRuns(facts).restsOn, 'felix' as const];
    const stays = after.runs && flag !== false ? staysBeside(facts, after.because, flag) : null;
    if (ofNodes.length > 0)
      return {
        kind: 'fail',
        because: [stays?.because, cleanedUpBy(ofNodes)].filter(Boolean).join(' '),
        subjects: [...(stays?.subjects ?? []), ...ofNodes],
        // The fix is in `default`, which these beat: it is offered once they are gone.
        remedy: {
          steps: [`Remove ${cleanup} from the FelixConfigurations of these nodes.`, 'Check again.'],
          command: ofNodes.map(({ name }) => patchFelix({ [cleanup]: null }, name)).join('\n'),
        },
        evidence,
      };
    if (stays === null) return { ...noProxyRuns(facts), restsOn, evidence };
    return {
      kind: 'fail',
      ...stays,
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

function staysBeside(facts: Facts, why: string, flag: unknown) {
  return {
    because: `After the plan the service proxy still runs, because ${why}, and ${cleanup} is ${flag === undefined ? 'not set, which means true' : String(flag)}.`,
    subjects: [
      proxySubject(facts, 'still runs after the plan'),
      { kind: 'FelixConfiguration', namespace: null, name: 'default', detail: `${cleanup} is not false` },
    ],
  };
}

function cleanedUpBy(ofNodes: Facts['installation']['cleaningUp']): string {
  const which = listed(ofNodes.map(({ name }) => name));
  return `FelixConfiguration ${which} ${agreeing(ofNodes.length, 'sets', 'set')} ${cleanup} to true, which beats FelixConfiguration default: once these nodes are on eBPF, Calico deletes the rules of a service proxy that still runs there.`;
}
