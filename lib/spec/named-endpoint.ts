import type { Goal } from './choices.ts';

/** Whether a goal has checks that test the address from the administrator's machine. With the others nothing connects to it: such a connection may wait for its time limit, and a proposed address may be a stranger's. */
export function dialsEndpoint(goal: Goal): boolean {
  return goal === 'install' || goal === 'enable';
}

/** An address of the API server for the nodes, and who named it. */
export type NamedEndpoint = { host: string; port: string; origin: 'chosen' | 'config-map' | 'proposal' };

type Found = {
  readonly configMap: { readonly host: string; readonly port: string } | null;
  readonly suggested: { readonly host: string; readonly port: number } | null;
};

/** The address that counts: the chosen one, else the configured, else the proposed one. Facts and checks must agree on it: no other one is tested. */
export function namedEndpoint(
  { configMap, suggested }: Found,
  chosen: { readonly host: string; readonly port: string } | null | undefined,
): NamedEndpoint | null {
  if (chosen) return { ...chosen, origin: 'chosen' };
  if (configMap && configMap.host !== '' && configMap.port !== '')
    return { host: configMap.host, port: configMap.port, origin: 'config-map' };
  return suggested && { host: suggested.host, port: String(suggested.port), origin: 'proposal' };
}
