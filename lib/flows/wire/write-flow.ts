import { endKinds, type Flow, type FlowEnd, type PolicyHit, policyKinds, type Verdict, verdicts } from '../flow.ts';

/** A flow as a message that `readFlow` reads. */
export function writeFlow(flow: Omit<Flow, 'id'>): object {
  return {
    key: {
      ...endOf('source', flow.from),
      ...endOf('dest', flow.to),
      dest_port: flow.port,
      dest_service_name: flow.service?.name ?? '',
      dest_service_namespace: flow.service?.namespace ?? '',
      dest_service_port_name: flow.service?.portName ?? '',
      proto: flow.protocol.toLowerCase(),
      reporter: flow.reporter === 'source' ? 1 : 2,
      action: actionNumber(flow.verdict),
      policies: { enforced: flow.policies.enforced.map(writeHit), pending: flow.policies.pending.map(writeHit) },
    },
    start_time: flow.start,
    end_time: flow.end,
    source_labels: flow.from.labels,
    dest_labels: flow.to.labels,
    packets_in: flow.packets.in,
    packets_out: flow.packets.out,
    bytes_in: flow.bytes.in,
    bytes_out: flow.bytes.out,
    connections_started: flow.connections.started,
    connections_completed: flow.connections.completed,
    connections_live: flow.connections.live,
  };
}

export function writeHit(hit: Omit<PolicyHit, 'trigger'> & { trigger?: Omit<PolicyHit, 'trigger'> | null }): object {
  return {
    kind: policyKinds.indexOf(hit.kind),
    namespace: hit.namespace ?? '',
    name: hit.name,
    tier: hit.tier,
    action: hit.action === null ? 0 : actionNumber(hit.action),
    policy_index: hit.policyIndex,
    rule_index: hit.ruleIndex,
    ...(hit.trigger ? { trigger: writeHit(hit.trigger) } : {}),
  };
}

export const actionNumber = (verdict: Verdict) => verdicts.indexOf(verdict) + 1;

function endOf(side: 'source' | 'dest', { kind, namespace, name }: FlowEnd): object {
  return {
    [`${side}_name`]: name,
    [`${side}_namespace`]: namespace ?? '-',
    [`${side}_type`]: endKinds.indexOf(kind) + 1,
  };
}
