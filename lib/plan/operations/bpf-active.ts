import { proveNodes } from '../access/rules.ts';
import { agentRollout, everyNode } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { awaited } from '../pins/parts.ts';

/** The operator rechecks every 5 minutes at worst (calico.md §3.5 no. 3). */
const operatorLagSeconds = 360;

/** Waits for each node's own proof. Green status proves nothing: an agent on a kernel that is too old falls back to iptables silently (pain C1). */
export const bpfActive = defineOperation({
  id: 'bpf.active',
  title: (context) => `Wait until eBPF is proven on ${everyNode(agentRollout(context).nodes)}`,
  why: 'A node whose kernel cannot run eBPF falls back silently. The service proxy stays until every node is proven.',
  whenPaused:
    'Nodes change to eBPF while the service proxy still runs and its rules are kept (the cleanup flag is false): both data planes run side by side.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({ step: awaited({ kind: 'bpf-active' }) }),
  needs: proveNodes,
  act: { kind: 'wait' },
  done: { kind: 'bpf-active' },
  usualSeconds: (context) => agentRollout(context).usualSeconds + 30,
  deadlineSeconds: (context) => agentRollout(context).deadlineSeconds + operatorLagSeconds,
});
