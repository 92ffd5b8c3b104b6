/**
 * Tests on each node, in display order. Ids are stable, because Facts contain them. lib/checks/measured/test-answers.ts says what each reads and answers.
 */
export const nodeTests = [
  { id: 'endpoint-from-host', title: 'API address from the host' },
  { id: 'endpoint-from-pod', title: 'API address from a pod' },
  { id: 'services-from-host', title: 'Services from the host' },
  { id: 'services-from-pod', title: 'Services from a pod' },
  { id: 'programs', title: 'kernel ready for eBPF' },
  { id: 'mounts', title: 'mounts' },
  { id: 'interfaces', title: 'interfaces' },
  { id: 'vlan-devices', title: 'no VLAN tag on its interfaces' },
  { id: 'service-proxy', title: 'no service proxy outside of pods' },
  { id: 'ipvs', title: 'no IPVS' },
  { id: 'health-port', title: 'port 10256 is free, or a service proxy’s' },
  { id: 'vxlan', title: 'VXLAN to the other nodes, both ways' },
  { id: 'full-size', title: 'full-size packets' },
  { id: 'checksums', title: 'checksums computed by the network card' },
  { id: 'foreign-source', title: 'packets with another node’s address' },
  { id: 'images', title: 'images can be pulled' },
] as const;

export type NodeTest = (typeof nodeTests)[number]['id'];
export const nodeTestIds = nodeTests.map(({ id }) => id);

/** Tests that run only if their result is needed. */
export const onRequest = [
  'services-from-host',
  'services-from-pod',
  'foreign-source',
] as const satisfies readonly NodeTest[];
export type TestedOnRequest = (typeof onRequest)[number];
export type AlwaysTested = Exclude<NodeTest, TestedOnRequest>;
export const alwaysTested = nodeTestIds.filter((id): id is AlwaysTested => !onRequest.some((one) => one === id));

/** Tests by packets from one node to another, not to a Service. */
export const testedBetweenNodes = [
  'vxlan',
  'full-size',
  'checksums',
  'foreign-source',
] as const satisfies readonly NodeTest[];

/** A value for each test of a node. */
export type ByNodeTest<T> = Record<AlwaysTested, T> & { [Test in TestedOnRequest]?: T };
