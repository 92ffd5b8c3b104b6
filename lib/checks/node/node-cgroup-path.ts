import { agreeing } from '#lib/base/words.ts';
import { cgroupPathFor, cgroupPathSince, felixDefaults, isImmutable, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { felixEvidence, felixField } from '../reading/felix.ts';
import { agentNodes, namelessNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { withDetails } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

/** Felix' default folder, which is not writable on some of these systems (calico.md §10). */
const usualFolder = felixDefaults.cgroupV2Path;

export const nodeCgroupPath = defineCheck({
  id: 'node.cgroup-path',
  group: 'Nodes',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['nodes', 'felix', 'installation'],
  title: 'Calico has a writable path for cgroup2 on immutable systems',
  gap: 'Immutable nodes need a path for cgroup2',
  topic: 'Path for cgroup2',
  ifIgnored: 'Agents do not start, the rollout waits',
  consequence:
    'The agent does not start there: its first container ends with "failed to mount cgroup2 filesystem", and the rollout waits for that node.',
  remedy: {
    steps: [
      `Accept this where a privileged pod can mount cgroup2 at ${usualFolder}.`,
      'Otherwise set `cgroupV2Path` of FelixConfiguration default to a writable folder.',
      'Check again.',
    ],
    fixIn: 'compatibility',
  },
  source: 'spec › Limits; pain C6',
  run: (facts, choices) => {
    const nodes = agentNodes(facts).filter(({ distribution }) => isImmutable(distribution.id));
    const nameless = namelessNodes(agentNodes(facts));
    if (nodes.length === 0 && nameless.length === 0) {
      return { kind: 'pass', because: 'No node runs an immutable system.', restsOn: ['nodes'] };
    }
    const path = felixField(facts, 'cgroupV2Path');
    const evidence = [felixEvidence(facts, 'cgroupV2Path')];
    if (typeof path === 'string' && path.startsWith('/')) {
      return { kind: 'pass', because: `cgroupV2Path is ${quoted(path)}.`, evidence, restsOn: ['nodes', 'felix'] };
    }
    if (nodes.length === 0) {
      const subjects = nameless.map((node) => nodeSubject(node, 'does not say which system it runs'));
      return {
        kind: 'unknown',
        because: `Not recognised as mutable or immutable systems: ${withDetails(subjects)}.`,
        subjects,
      };
    }
    const release = targetRelease(facts, choices);
    const has = release === null ? 'undecided' : releaseAtLeast(release, cgroupPathSince);
    const subjects = nodes.map((node) => nodeSubject(node, node.osImage));
    const total = agentNodes(facts).length;
    const missing =
      has === 'no' ? ` ${releaseName(release)} does not have that field; it came with ${cgroupPathSince}.` : '';
    return {
      kind: 'fail',
      because: `${shareOf(nodes.length, total, 'node')} ${agreeing(nodes.length, 'runs', 'run')} an immutable system, and cgroupV2Path is not set: ${withDetails(subjects)}.${missing}`,
      subjects,
      remedy: remedyFor(
        has === 'no',
        nodes.map(({ distribution }) => distribution.id),
      ),
      evidence: [
        ...evidence,
        ...nodes.slice(0, 50).map((node) => nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage)),
      ],
    };
  },
});

/** The remedy; with a fix only if the right folder is known. */
function remedyFor(isOlder: boolean, systems: readonly string[]): Remedy {
  const { remedy } = nodeCgroupPath;
  if (isOlder) {
    const [look = '', , again = ''] = remedy.steps;
    return {
      ...remedy,
      steps: [look, `Otherwise upgrade to ${cgroupPathSince} or later first: it has a setting for the folder.`, again],
    };
  }
  const known = cgroupPathFor(systems);
  if (known === null) return remedy;
  return {
    ...remedy,
    steps: [`Add the fix to the plan: it sets cgroupV2Path to ${known} before the switch.`, 'Check again.'],
    autofix: 'felix.options',
  };
}
