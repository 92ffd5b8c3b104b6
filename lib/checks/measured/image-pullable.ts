import { defineCheck } from '../check.ts';
import { agentNodes } from '../reading/nodes.ts';
import { asMeasured } from './as-measured.ts';

/** Images are pulled before anything changes, so that a missing one does not stop a rollout half-way. Skipped without a test on the nodes. */
export const imagePullable = defineCheck({
  id: 'image.pullable',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade'],
  reads: ['nodes'],
  title: 'Every node pulls the images that the plan brings',
  gap: 'Images cannot be pulled',
  topic: 'Pulling images',
  ifIgnored: 'The rollout stops at these nodes',
  consequence: 'A node that cannot pull an image keeps its old agent, or has none. The rollout stops there.',
  remedy: {
    steps: [
      'Push the image under this name, or correct registry, path, prefix and pull Secrets of the Installation.',
      'Test the nodes again.',
    ],
    command: 'signalbox preflight',
  },
  source: 'pain J1, J2',
  run: (facts) => {
    const nodes = agentNodes(facts);
    const missing = nodes.filter(
      ({ name }) => facts.measured?.nodes.find(({ node }) => node === name)?.tests.images === undefined,
    );
    const untested = {
      kind: 'skipped',
      because: 'Images are pulled by a test of the nodes, and none was made.',
    } as const;
    if (facts.measured === null || missing.length > 0) return untested;
    const measured = asMeasured(facts, nodes, 'images', {
      passed: 'The images that the plan brings were pulled.',
      otherwise: { kind: 'unknown', because: 'Not every node was asked for the images.' },
    });
    return measured.kind === 'unknown' ? untested : measured;
  },
});
