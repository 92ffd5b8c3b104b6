import { aNode } from '#lib/checks/testing/a-facts.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import type { aWizardContext } from './a-wizard-context.ts';

export type ContextFields = NonNullable<Parameters<typeof aWizardContext>[0]>;

const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' as const }])) as Record<
  NodeTest,
  { kind: 'passed' }
>;

/** One node that passed every test of the probe, with the endpoint 10.0.0.100:6443. */
export const measured: NonNullable<ContextFields['facts']> = {
  nodes: [aNode({ name: 'worker-1' })],
  measured: { endpoint: { host: '10.0.0.100', port: '6443' }, nodes: [{ node: 'worker-1', ms: 1, tests: passed }] },
};

/** The endpoint is one of three API servers. */
export const oneOfThree = { apiServers: ['10.0.0.100:6443', '10.0.0.2:6443', '10.0.0.3:6443'] };
