import type { Goal } from './choices.ts';

/**
 * Whether a goal writes the address, and so has checks that test it from the administrator's machine. With the others nothing connects to a proposed
 * address: such a connection may wait for its time limit, and the address may be a stranger's.
 */
export function dialsEndpoint(goal: Goal): boolean {
  return goal === 'install' || goal === 'enable';
}

/** An address of the API server for the nodes, and who named it. */
export type NamedEndpoint = { host: string; port: string; origin: 'chosen' | 'config-map' | 'proposal' };

type Found = {
  readonly configMap: { readonly host: string; readonly port: string } | null;
  readonly suggested: { readonly host: string; readonly port: number } | null;
};

type Asked = { readonly goal: Goal; readonly endpoint?: { readonly host: string; readonly port: string } | undefined };

/**
 * The address that counts: the chosen one, else the configured, else the proposed one where the goal writes an address. Facts, checks and tests on the
 * nodes must agree on it: no other one is tested. `asked` null: no goal is known yet.
 */
export function namedEndpoint({ configMap, suggested }: Found, asked: Asked | null): NamedEndpoint | null {
  const chosen = asked?.endpoint;
  if (chosen) return { ...chosen, origin: 'chosen' };
  if (configMap && configMap.host !== '' && configMap.port !== '')
    return { host: configMap.host, port: configMap.port, origin: 'config-map' };
  if (asked !== null && !dialsEndpoint(asked.goal)) return null;
  return suggested && { host: suggested.host, port: String(suggested.port), origin: 'proposal' };
}
