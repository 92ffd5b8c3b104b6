import type { Kube, MissingRule } from '#lib/kube/index.ts';
import { type NodeTest, resources } from '#lib/spec/index.ts';

/** Each node fails one test of the probe until the remedy has been followed outside of the cluster and the nodes are tested again. */
export const failing =
  (test: NodeTest, because: string) =>
  (kube: Kube, isFollowed: () => boolean): Kube => ({
    ...kube,
    measureNodes: async (endpoint, options) => {
      const { nodes } = (await kube.measureNodes?.(endpoint, options)) ?? { nodes: [] };
      if (isFollowed()) return { nodes: nodes.map((node) => ({ ...node, proxy: 'none' })) };
      return {
        nodes: nodes.map((node) => ({ ...node, tests: { ...node.tests, [test]: { kind: 'failed', because } } })),
      };
    },
  });

/** API servers that answer under every name, with a certificate for only one. */
export const naming =
  (name: string) =>
  (kube: Kube): Kube => ({
    ...kube,
    probeEndpoint: async ({ host, port }) => {
      const shown = { names: [name], issuer: 'kubernetes', expiresAt: '2030-01-01T00:00:00.000Z' };
      return {
        connection: { made: true, latencyMs: 1 },
        certificate:
          host === name
            ? { ...shown, verified: true }
            : { ...shown, verified: false, because: `it does not name ${host}` },
        ready: host === name ? { status: 200, ok: true, failing: [] } : null,
        name: { resolved: true, addresses: ['10.0.0.100'], by: 'dns', records: [], aliases: [] },
        latency: { minMs: 1, medianMs: 1 },
        servers: [],
        dialled: [`${host}:${port}`],
        leftAlone: [],
      };
    },
  });

/** A cluster in which only a ClusterRole created during the test allows changing the Installation. */
export const byRolesMadeHere = (kube: Kube): Kube => ({
  ...kube,
  allowed: async (rules, options) => {
    const roles: unknown[] = [];
    for await (const { items } of kube.list(resources.clusterRoles)) roles.push(...items.map((one) => one.rules));
    const isGranted = ({ verb, resource }: MissingRule) =>
      JSON.stringify(roles).includes(`"resources":["${resource}"],"verbs":["${verb}"]`);
    const answers = await kube.allowed(rules, options);
    return answers.map((one) =>
      one.resource === 'installations' && one.verb === 'patch' ? { ...one, allowed: isGranted(one) } : one,
    );
  },
});
