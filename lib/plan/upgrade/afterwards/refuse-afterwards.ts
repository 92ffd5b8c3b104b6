import { type Afterwards, automaticEndpointOf, hostAnswer } from '#lib/spec/index.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';
import { whyNoFlowLogs } from './flow-logs.ts';
import { whyNoSidecars, whyNoTemplate } from './sidecars.ts';

/** Whether the answers ask for this optional step after the upgrade. */
export function isRequested(what: Afterwards, { choices }: Pick<PlanContext, 'choices'>): boolean {
  return choices.goal === 'upgrade' && choices.afterwards?.includes(what) === true;
}

/** Whether an answer in `changes` is about host endpoints and labels of their nodes. Such answers are allowed for every kind of installation. */
export function isHostAnswer(name: string, choices: PlanContext['choices']): boolean {
  return isRequested('host-endpoints', { choices }) && hostAnswer.test(name);
}

/** Throws a PlanError for optional steps that this cluster cannot have, or whose effect is unknown. */
export function refuseAfterwards({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): void {
  const { afterwards = [] } = choices;
  if (afterwards.length === 0) return;
  const refused = (because: string) => new PlanError('choices.afterwards', `afterwards: ${because}`, ['afterwards']);
  if (choices.goal !== 'upgrade')
    throw refused(`${afterwards.join(', ')} is for the goal upgrade, not for ${choices.goal}.`);
  const inEtcd = afterwards.filter((what) => whyItCannotFollow(facts, what) !== null);
  if (inEtcd[0] !== undefined) throw refused(`${inEtcd.join(', ')} ${whyItCannotFollow(facts, inEtcd[0])}`);
  const withoutFlows = afterwards.includes('flow-logs')
    ? whyNoFlowLogs(facts, choices.release ?? facts.installation.version)
    : null;
  if (withoutFlows !== null) throw refused(`flow-logs: ${withoutFlows}`);
  const to = choices.release ?? null;
  const withoutSidecars = afterwards.includes('sidecars') ? (whyNoSidecars(facts, to) ?? whyNoTemplate(facts)) : null;
  if (withoutSidecars !== null) throw refused(`sidecars: ${withoutSidecars}`);
  const alone = afterwards.includes('host-endpoints') ? whyNoHostEndpoints(facts) : null;
  if (alone !== null) throw refused(`host-endpoints: ${alone}`);
}

/** Why this kind of installation never has the step, as a phrase; null if it may. Sidecars are possible with etcd too, since their template lies in the Kubernetes API. */
export function whyItCannotFollow({ installation }: PlanContext['facts'], what: Afterwards): string | null {
  return installation.method === 'manifest-etcd' && what !== 'sidecars'
    ? 'changes what Calico keeps in etcd, which is never written from here; calicoctl of the new release does it.'
    : null;
}

/** Why old host endpoints cannot be replaced by automatic ones, as a sentence; null if they can. */
export function whyNoHostEndpoints({ coverage, upgrade, nodes }: PlanContext['facts']): string | null {
  const { covered, missing } = coverage.hostEndpoints;
  if (!covered) {
    const unread = missing.map(({ kind, because }) => `${kind} (${because})`).join(', ') || 'the host endpoints';
    return `Not verified which policies select hosts, because not everything could be read: ${unread}.`;
  }
  if (upgrade.hostEndpoints.createDefault === 'Disabled')
    return 'KubeControllersConfiguration default has createDefaultHostEndpoint Disabled, so no node gets the endpoint that stands in for its old one. Set it to Enabled first.';
  const unnamed = nodes.find(({ name }) => automaticEndpointOf(name) === null);
  return unnamed === undefined
    ? null
    : `The name of Node ${unnamed.name} is too long to know what its automatic host endpoint is called.`;
}
