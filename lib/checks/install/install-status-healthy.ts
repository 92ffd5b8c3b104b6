import { z } from 'zod';
import { agreeing } from '#lib/base/words.ts';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { expectsAgent, generationOfStatus, names, objectId, resources, whyAgentless } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny, type RuleResult } from '../framework/fail-on-any.ts';
import { installationId, isManifestInstall } from '../reading/installation.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { operatorDeploymentId } from '../reading/operator-deployment.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

type Status = Facts['resources']['tigeraStatuses'][number];

/** A TigeraStatus that stays, without updates, when kube-proxy management is turned off (controlplane.md › Recordings, item 12). */
const residualStatus = 'kubeproxy-monitor';

export const installStatusHealthy = defineCheck({
  id: 'install.status-healthy',
  group: 'Installation and upgrade',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['enable', 'upgrade'],
  reads: ['tigeraStatuses', 'operator'],
  title: 'Calico is healthy before the change',
  gap: 'Calico is not healthy',
  topic: 'Health of Calico',
  ifIgnored: 'Nothing changes, or faults mix',
  consequence:
    'A change on top of a fault makes both hard to tell apart, and an operator that is stuck changes nothing.',
  remedy: {
    steps: ['Fix what these conditions name. The operator updates them within a minute.', 'Check again.'],
    command: 'kubectl get tigerastatus -o yaml',
  },
  source: 'checks.md › Installation and upgrade',
  appliesTo: (facts) => {
    if (facts.installation.method === 'none') return { because: 'Calico is not installed.', restsOn: ['installation'] };
    if (!isManifestInstall(facts)) return true;
    return { because: 'Calico was installed by manifest: no operator reports its status.', restsOn: ['installation'] };
  },
  run: (facts) => {
    const {
      resources: { tigeraStatuses, objects },
      coverage,
    } = facts;
    const generation = objects[installationId]?.metadata.generation ?? 0;
    const lacks = lacksDeployments(facts);
    const away = [lacks ? null : operatorAway(facts), agentsAway(facts)].filter((subject) => subject !== null);
    if (away.length > 0) {
      return {
        kind: 'fail',
        ...(isStuck(facts) ? { outage: true } : {}),
        because: `Not all of Calico runs: ${withDetails(away)}.`,
        subjects: away,
        remedy: {
          steps: ['Find out what these pods wait for, and fix it.', 'Check again.'],
          command: away
            .map(
              ({ kind, name, namespace }) =>
                `kubectl describe ${kind.toLowerCase()} -n ${shellWord(namespace ?? '')} ${shellWord(name)}`,
            )
            .join('\n'),
        },
      };
    }
    if (tigeraStatuses.length === 0 && coverage.tigeraStatuses.covered) {
      return {
        kind: 'fail',
        because: 'The operator reports no status at all: there is no TigeraStatus.',
        subjects: [{ kind: 'TigeraStatus', namespace: null, name: 'calico', detail: 'is not there' }],
        remedy: {
          steps: ['See whether the operator runs and what it logs.', 'Check again.'],
          command: 'kubectl get deployments,pods -A -l k8s-app=tigera-operator',
        },
      };
    }
    const result = failOnAny({
      all: tigeraStatuses,
      noun: 'TigeraStatus',
      plural: 'TigeraStatuses',
      subject: ({ name }, detail) => ({ kind: 'TigeraStatus', namespace: null, name, detail }),
      evaluate: (status) => troubleOf(status) ?? outdated(status, generation),
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'TigeraStatus', 'TigeraStatuses')} ${agreeing(failing.length, 'is', 'are')} not healthy: ${withDetails(failing)}.`,
      evidence: ({ name, conditions }) => [
        { object: `TigeraStatus/${name}`, path: 'status.conditions', value: conditions },
      ],
    });
    if (result.kind === 'pass' && lacks) {
      return {
        kind: 'unknown',
        because: "Not verified that the operator runs: Calico's agents were read, and none of its Deployments.",
        subjects: [{ ...objectSubject(operatorDeploymentId(facts)), detail: 'was not found' }],
        remedy: {
          steps: ['Look whether the operator runs. A dump needs the Deployments of all namespaces.', 'Check again.'],
          command: 'kubectl get deployments -A',
        },
      };
    }
    if (result.kind !== 'fail') return result;
    const { name = '' } = result.subjects.length === 1 ? (result.subjects[0] ?? {}) : {};
    return name === residualStatus ? { ...result, remedy: removeLeftover(name) } : result;
  },
});

function outdated(status: Status, generation: number): RuleResult {
  const { observed, current } = generationOfStatus(status, generation);
  return current === false
    ? { undecided: `speaks of generation ${observed}, the Installation is at ${generation}` }
    : null;
}

const count = z.number().catch(0);
const deploymentSchema = z.object({ status: z.object({ availableReplicas: count }) });
const daemonSetSchema = z.object({
  status: z.object({ desiredNumberScheduled: count, numberAvailable: count }),
});

/** Whether the dump has no Deployment of Calico although agents exist: then it probably has the Deployments of other namespaces only. */
function lacksDeployments(facts: Facts): boolean {
  const { installation, resources: of } = facts;
  const deployments = [names.kubeControllersDeployment, names.typhaDeployment].map((name) =>
    objectId({ resource: resources.deployments, namespace: names.calicoNamespace, name }),
  );
  const ids = [operatorDeploymentId(facts), ...deployments];
  return installation.agent !== null && ids.every((id) => of.objects[id] === null);
}

/** The operator if it does not run, because its TigeraStatuses are then outdated. Null also if it was not read, which coverage reports. */
function operatorAway(facts: Facts): Subject | null {
  const id = operatorDeploymentId(facts);
  const object = facts.resources.objects[id];
  if (object === undefined) return null;
  if (object === null) return { ...objectSubject(id), detail: 'is not there' };
  // A manifest in a dump has no status, so nothing is known of its pods.
  const parsed = deploymentSchema.safeParse(object);
  return !parsed.success || parsed.data.status.availableReplicas > 0
    ? null
    : { ...objectSubject(id), detail: 'no pod of it is available' };
}

/** The agents' DaemonSet if pods are unavailable on Ready nodes that must have one; `node.ready` reports nodes that are not Ready. */
function agentsAway(facts: Facts): Subject | null {
  const { agent } = facts.installation;
  const { objects } = facts.resources;
  const parsed = agent === null ? null : daemonSetSchema.safeParse(objects[agent]);
  if (agent === null || !parsed?.success) return null;
  const { desiredNumberScheduled, numberAvailable } = parsed.data.status;
  const missing = desiredNumberScheduled - numberAvailable;
  const expected = facts.nodes.filter(expectsAgent);
  const notReady = expected.filter(({ ready }) => !ready).length;
  // The agent tolerates every taint, so the DaemonSet may also want pods on virtual nodes, where none ever starts. No more than it wants there are excused.
  const virtual = facts.nodes.filter((node) => whyAgentless(node) === 'virtual').length;
  const neverStart = Math.min(virtual, Math.max(0, desiredNumberScheduled - expected.length));
  return missing <= notReady + neverStart
    ? null
    : { ...objectSubject(agent), detail: `${numberAvailable} of ${desiredNumberScheduled} pods are available` };
}

/** A rollout that has waited this long is stuck. Our choice: longer than an agent takes to start. */
const stuckMs = 10 * 60_000;

/** Whether agents are unavailable and the operator has waited for them for `stuckMs`, so that they will not recover by themselves. */
function isStuck(facts: Facts): boolean {
  if (agentsAway(facts) === null) return false;
  const status = facts.resources.tigeraStatuses.find(({ name }) => name === 'calico');
  const waiting = status?.conditions.find(
    (one) =>
      (one.type === 'Available' && one.status !== 'True') ||
      (['Degraded', 'Progressing'].includes(one.type) && one.status === 'True'),
  );
  if (waiting?.since == null) return false;
  return Date.parse(facts.observedAt) - Date.parse(waiting.since) >= stuckMs;
}

/** What is wrong with a TigeraStatus; null: nothing. A missing condition counts as wrong (calico.md §4). */
function troubleOf({ conditions }: Status): string | null {
  const degraded = conditions.find(({ type, status }) => type === 'Degraded' && status === 'True');
  if (degraded) return `Degraded: ${degraded.message || degraded.reason || 'without a message'}`;
  const available = conditions.find(({ type }) => type === 'Available');
  if (available?.status === 'True') return null;
  if (!available) return 'has no condition Available';
  const why = available.message || available.reason;
  return `Available is ${quoted(available.status)}${why ? `: ${why}` : ''}`;
}

function removeLeftover(name: string): typeof installStatusHealthy.remedy {
  return {
    steps: [
      'Where kubeProxyManagement is Enabled, fix what it names.',
      'Where it is not, this status was left behind and nothing updates it any more: delete it.',
      'Check again.',
    ],
    command: `kubectl delete tigerastatus ${shellWord(name)}`,
  };
}
