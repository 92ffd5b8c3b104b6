import { z } from 'zod';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { felixEvidence, felixField, felixId, patchFelix } from '../reading/felix.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { listed } from '../wording/sentences.ts';

const variable = 'FELIX_DEFAULTENDPOINTTOHOSTACTION';
const field = 'defaultEndpointToHostAction';

/** The agent's DaemonSet is kept whole. Values that its environment takes from other objects are not looked up. */
const agentSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            name: z.string(),
            env: z.array(z.object({ name: z.string(), value: z.string().catch('') })).catch([]),
          }),
        ),
      }),
    }),
  }),
});

type DefaultAction = {
  readonly action: string;
  readonly subject: Subject;
  readonly evidence: Evidence;
  /** The command that sets the action to Accept. */
  readonly command: string;
};

/** The action that is set, and where. The agent's environment takes precedence over FelixConfiguration. Null: neither sets it. */
function configuredAction(facts: Facts): DefaultAction | null {
  const { agent } = facts.installation;
  const parsed = agent === null ? null : agentSchema.safeParse(facts.resources.objects[agent]);
  const given = parsed?.success
    ? parsed.data.spec.template.spec.containers
        .find(({ name }) => name === 'calico-node')
        ?.env.find(({ name }) => name === variable)?.value
    : undefined;
  if (agent !== null && given)
    return {
      action: given,
      subject: { ...objectSubject(agent), detail: `${variable} is ${given}` },
      evidence: { object: agent, path: `spec.template.spec.containers[calico-node].env[${variable}]`, value: given },
      command: `kubectl set env ${kubectlArguments(agent, shellWord)} -c calico-node ${variable}=ACCEPT`,
    };
  const value = felixField(facts, field);
  return typeof value === 'string' && value !== ''
    ? {
        action: value,
        subject: { ...objectSubject(felixId), detail: `${field} is ${value}` },
        evidence: felixEvidence(facts, field),
        command: patchFelix({ [field]: 'Accept' }),
      }
    : null;
}

const effects: Readonly<Record<string, string>> = {
  return:
    "RETURN leaves the decision to the rules of the node's own firewall, which were written beside the standard data plane",
  drop: 'DROP closes the node to its own pods unless a policy allows it: a DNS cache or an API server on that node included',
};

export const featureEndpointToHost = defineCheck({
  id: 'feature.endpoint-to-host',
  group: 'Features',
  severity: 'warning',
  goals: ['enable'],
  reads: ['installation', 'felix'],
  title: 'Pods may reach their own node',
  gap: 'Pods may not reach their own node',
  topic: 'Traffic of pods to their own node',
  ifIgnored: 'Pods may lose or gain their node',
  consequence:
    'Traffic from a pod to its own node takes another path in eBPF mode. The switch can change what the firewall of the node lets through.',
  remedy: {
    steps: ['Set the action to ACCEPT in the object named here, or accept this after a test on one node.'],
    details: [
      'In kubespray it is `calico_endpoint_to_host_action`.',
      'Where pods must not reach their node, write policies for the host endpoints.',
    ],
    fixIn: 'compatibility',
  },
  source: 'calico.md §3.7',
  run: (facts) => {
    const configured = configuredAction(facts);
    const effect = configured && effects[configured.action.toLowerCase()];
    if (!configured || effect === undefined) {
      // The environment takes precedence over FelixConfiguration.
      const isByEnvironment = configured !== null && configured.subject.kind === 'DaemonSet';
      return {
        kind: 'pass',
        ...(configured ? { evidence: [configured.evidence] } : {}),
        ...(isByEnvironment ? { restsOn: ['installation' as const] } : {}),
      };
    }
    return {
      kind: 'fail',
      because: `${listed([configured.subject.detail])}: ${effect}.`,
      subjects: [configured.subject],
      evidence: [configured.evidence],
      remedy: { ...featureEndpointToHost.remedy, command: configured.command },
    };
  },
});
