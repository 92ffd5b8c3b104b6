import { z } from 'zod';

export const nodeSchema = z.object({
  name: z.string(),
  /** As its kubelet reports it, else by its label: `linux`, `windows`; empty: neither says one. */
  os: z.string(),
  /** Its label `kubernetes.io/os` where that says otherwise; empty: it has none. Absent: the label agrees. */
  osLabel: z.string().exactOptional(),
  architecture: z.string(),
  osImage: z.string(),
  distribution: z.object({ id: z.string(), version: z.string().nullable() }),
  kernel: z.string(),
  ready: z.boolean(),
  /** Why the node is not ready, as its kubelet reports it; null: it is ready. `network`: only the network is missing. */
  notReady: z.object({ waitsFor: z.enum(['network', 'other']), because: z.string() }).nullable(),
  /** Cordoned. */
  unschedulable: z.boolean(),
  /** Conditions that are true and should not be: `MemoryPressure`, `DiskPressure`, `PIDPressure`, `NetworkUnavailable`. */
  pressures: z.array(z.string()),
  /** InternalIPs first. */
  addresses: z.array(z.string()),
  /** Addresses that Calico's agent chose for the node and wrote into its annotations: `10.0.0.11/24`. Absent: none. */
  calicoAddresses: z.array(z.string()).optional(),
  /** Its zone, by the label. Absent: no label. */
  zone: z.string().exactOptional(),
  /** Switch or card that it shares with other nodes, by a label (lib/spec: linkOf): `rack=r1`. Absent: no label names one. */
  link: z.string().exactOptional(),
  roles: z.array(z.string()),
  providerID: z.string().nullable(),
  createdAt: z.string().nullable(),
  /** `eks.amazonaws.com/compute-type`: `auto` of EKS Auto Mode, `hybrid` of a machine outside of AWS. */
  computeType: z.string().nullable().default(null),
  /** The tool that made the node, by its labels or kubelet version: `microk8s`. Absent: unknown. */
  installer: z.string().optional(),
  /** A node of virtual-kubelet or Fargate, which never runs an agent (operations.md › Proof of a node). */
  virtual: z.boolean(),
  /** Why the agent's DaemonSet cannot land here (nodeSelector, affinity, taint), or null. */
  agentCannotLand: z.string().nullable(),
});
export type NodeFact = z.infer<typeof nodeSchema>;
