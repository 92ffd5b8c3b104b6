import { installationStepData } from '#components/custom-resources/installation-step-data.ts';
import { withoutStop } from '#lib/base/words.ts';
import { effectiveEndpoint } from '#lib/checks/index.ts';
import type { Assessment, Draft } from '#lib/console/host.ts';
import type { WizardContext } from '#lib/console/wizard/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { makePlan, PlanError, proxyRemoval, upgradeAfterwards, upgradeChanges } from '#lib/plan/index.ts';
import {
  type Choices,
  gateOfHop,
  platformGuides,
  platformOf,
  platforms,
  proxyManagementSetting,
  releaseAtLeast,
} from '#lib/spec/index.ts';
import { sentenceWithClusterFlags, visibleData } from '#lib/text/index.ts';

/** Makes the wizard's context on the server. The plan takes milliseconds, because everything was read already. */
export function wizardContext(
  draft: Draft,
  { facts, findings, flags, choices, release, contents, running, through }: Assessment,
): WizardContext {
  const { keepProxy: _kept, ...unkept } = choices;
  const { operatorVersion } = facts.installation;
  const platform = platformOf({ facts, choices });
  const made = {
    facts,
    findings,
    flags,
    platform,
    platforms: Object.values(platforms),
    guides: platformGuides.filter((row) => row.kind === platform.kind),
    endpoint: effectiveEndpoint(facts, choices),
    proxy: { now: proxyRemoval({ facts, choices }), off: proxyRemoval({ facts, choices: turnedOff(unkept) }) },
    operatorManagesProxy: operatorVersion === null ? 'undecided' : releaseAtLeast(operatorVersion, managesProxySince),
    automaticCannot: whyNotAutomatic(facts, choices),
    release,
    way: release && choices.goal === 'upgrade' ? wayTo(release.progress.wanted.version, facts, through) : null,
    changes:
      choices.goal === 'upgrade' && contents !== null
        ? upgradeChanges({ facts, choices, running: running ?? null, release: contents })
        : null,
    afterwards: choices.goal === 'upgrade' ? upgradeAfterwards({ facts, choices }) : null,
    plan: planned({ facts, findings, flags, choices, contents, running, through }),
  };
  // Drafts and the document are the user's own text, which forms send back; the rest comes from the cluster and files and is escaped.
  return {
    ...visibleData(made),
    draft,
    installation: choices.goal === 'install' ? installationStepData(draft, { facts, contents }) : null,
  };
}

/** The intermediate releases of the plan, each with the gate that requires it. */
function wayTo(to: string, facts: Facts, through: Assessment['through'] = []): WizardContext['way'] {
  return {
    from: facts.installation.version,
    to,
    through: through.flatMap(({ version }) => {
      const gate = gateOfHop(version);
      return gate === undefined ? [] : [{ version, gate: gate.id, because: withoutStop(gate.advice) }];
    }),
  };
}

/** First operator with `kubeProxyManagement` (calico.md §3.6). */
const managesProxySince = '1.40.0';

/** The conditions of automatic mode (operations.md › Journeys 1; calico.md §3.3, §13 no. 1), as far as they can be checked without the release's files. */
function whyNotAutomatic({ endpoint, proxy }: Facts, { dataplane, release }: Choices): string | null {
  if (dataplane === 'Iptables') return 'Only for eBPF; the standard data plane was chosen.';
  if (release !== undefined && releaseAtLeast(release, '3.31') !== 'yes')
    return `It exists from v3.31 on, and ${release} was chosen.`;
  if (endpoint.configMap !== null)
    return `${endpoint.configMap.namespace}/ConfigMap/kubernetes-services-endpoint is there, which excludes it.`;
  if (proxy.kind !== 'daemonset')
    return 'It needs a kube-proxy that runs as DaemonSet kube-system/kube-proxy, and here it does not.';
  if (proxy.managedBy !== null)
    return `DaemonSet kube-system/kube-proxy is managed by ${proxy.managedBy}, and the operator refuses to touch it.`;
  return endpoint.apiServers.length > 0
    ? null
    : 'It needs the addresses of the API servers, and no EndpointSlice of Service default/kubernetes has any.';
}

function turnedOff({ set, ...choices }: Omit<Choices, 'keepProxy'>): Choices {
  const { [proxyManagementSetting]: _asked, ...others } = set;
  return { ...choices, set: others };
}

function planned({
  facts,
  findings,
  flags,
  choices,
  contents,
  running = null,
  through = [],
}: Omit<Assessment, 'release'>): WizardContext['plan'] {
  try {
    const { operations } = makePlan({
      facts,
      choices,
      findings,
      now: findings.checkedAt,
      release: contents,
      running,
      through,
    });
    return { kind: 'made', operations };
  } catch (error) {
    if (error instanceof PlanError) return { kind: 'none', problem: sentenceWithClusterFlags(error.message, flags) };
    throw error;
  }
}
