import { flexVolumePathFor, isImmutable, platformIn } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { installationId } from '../reading/installation.ts';
import { agentNodes, namelessNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

const field = 'flexVolumePath';

/** Providers whose default folder is not below /usr (calico.md §2.1). */
const writableByDefault: ReadonlySet<unknown> = new Set(['OpenShift', 'GKE', 'AKS', 'RKE2']);

/** The operator recognises these by itself when it starts; AKS has to be named (calico.md §13 no. 23). */
const recognised: ReadonlySet<string> = new Set(['openshift', 'gke', 'rke2']);

/** The spec's value, and the same with the slash that the operator needs (calico.md §13 no. 14). */
const bottlerocketFolder = /^\/var\/lib\/kubelet\/plugins\/?$/;

export const nodeFlexvolumePath = defineCheck({
  id: 'node.flexvolume-path',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes', 'installation', 'platform'],
  title: 'The FlexVolume folder is writable on every node',
  gap: 'The FlexVolume folder is read-only',
  topic: 'FlexVolume folder',
  ifIgnored: 'Agents do not start, the rollout waits',
  consequence:
    'The agent does not start there: it stays in "Init" with "mkdir /usr/libexec/kubernetes: read-only file system", and the rollout waits for that node.',
  remedy: {
    steps: ['Add the fix to the plan: it sets `flexVolumePath` of the Installation before the switch.', 'Check again.'],
    details: [
      'To set it yourself: `None`, or a writable folder that the kubelet reads (its flag `--volume-plugin-dir`).',
    ],
    autofix: 'installation.options',
    fixIn: 'options',
  },
  source: 'spec › Installation resource; pain C7',
  run: (facts, choices) => {
    const nodes = agentNodes(facts);
    const immutable = nodes.filter(({ distribution }) => isImmutable(distribution.id));
    const nameless = namelessNodes(nodes);
    if (immutable.length === 0 && nameless.length === 0)
      return { kind: 'pass', because: 'No node has a system with a read-only /usr.', restsOn: ['nodes'] };
    const { value: path, from } = plannedField(facts, choices, field);
    const provider = plannedField(facts, choices, 'kubernetesProvider').value;
    const platform = platformIn(facts, choices);
    const hasOwnDefault = writableByDefault.has(provider) || (!provider && recognised.has(platform));
    const fixed = flexVolumePathFor(immutable.map(({ distribution }) => distribution.id));
    const result = failOnAny({
      all: [...immutable, ...nameless],
      noun: 'node',
      subject: nodeSubject,
      evaluate: ({ osImage, distribution }) => {
        if (path === 'None') return null;
        if (osImage.trim() === '') return { undecided: 'it does not say which system it runs' };
        if (path === undefined || path === null || path === '') {
          return hasOwnDefault ? null : `${osImage}, flexVolumePath is not set, and its default is below /usr`;
        }
        if (typeof path !== 'string') return `${osImage}, flexVolumePath ${quoted(path)} is not a folder`;
        if (distribution.id === 'bottlerocket' && !bottlerocketFolder.test(path))
          return `${osImage}, whose kubelet reads another folder`;
        return path === '/usr' || path.startsWith('/usr/')
          ? `${osImage}, flexVolumePath ${quoted(path)} is below /usr`
          : null;
      },
      because: (failing) =>
        `${shareOf(failing.length, nodes.length, 'node')} cannot make the folder for FlexVolume: ${withDetails(failing)}. ${path ? `It is ${quoted(path)}; ` : ''}${quoted(fixed)} is right here.`,
      evidence: (node) => [nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage)],
    });
    const evidence = [{ object: installationId, path: `spec.${field}`, value: path ?? null }];
    if (result.kind === 'fail') return { ...result, evidence: [...evidence, ...(result.evidence ?? [])] };
    if (result.kind !== 'pass') return result;
    return {
      kind: 'pass',
      because: path ? `flexVolumePath is ${quoted(path)}.` : 'The default of this platform can be written.',
      evidence,
      restsOn:
        from === 'choices' ? ['nodes'] : path ? ['nodes', 'installation'] : ['nodes', 'installation', 'platform'],
    };
  },
});
