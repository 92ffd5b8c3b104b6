import type { TestOutcome } from '#lib/kube/index.ts';
import type { ProbeLine } from '../line.ts';
import type { ProbeSettings } from '../objects.ts';
import type { Partners, Placed } from '../partners/partners.ts';

/** What a node's two pods said; `because`: why one said nothing, as a phrase about it. */
export type NodeReport = {
  readonly node: string;
  readonly host: readonly ProbeLine[] | { readonly because: string };
  readonly pod: readonly ProbeLine[] | { readonly because: string };
  /** Whether the images that the plan brings there were pulled; left out: only that of these pods was asked for. */
  readonly images?: TestOutcome;
};

export type ProbedNode = Placed & {
  readonly name: string;
  readonly distribution: { readonly id: string; readonly version?: string | null };
  readonly architecture: string;
  /** IPv4, between which VXLAN goes; null: it has none. */
  readonly address: string | null;
  /** IPv6, between which it goes too; null: it has none; left out: none goes there. */
  readonly addressV6?: string | null;
};

export type Question = {
  /** In the order of ADDRESSES. */
  readonly nodes: readonly ProbedNode[];
  /** Who tests with whom, by their places; left out: as is chosen for these. */
  readonly partners?: Partners;
  readonly endpoint: { readonly host: string; readonly port: string } | null;
  /** That every pod asks; left out: none is known. */
  readonly services?: ProbeSettings['services'];
  /** Those behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly { readonly host: string; readonly port: string }[];
  /** Of FelixConfiguration; null: Calico's own. */
  readonly interfacePattern: string | null;
  /** Of Calico, that runs after the plan; null: not known. */
  readonly release: string | null;
  /** Whether packets with the address of another node were asked for. */
  readonly dsr?: boolean;
  /** Why what the plan brings could not be asked for, as a phrase; left out: it was, or the plan brings nothing. */
  readonly untoldImages?: string;
};

export const passed: TestOutcome = { kind: 'passed' };
export const failed = (because: string): TestOutcome => ({ kind: 'failed', because });
export const notRun = (because: string): TestOutcome => ({ kind: 'not-run', because });

export type Named<P extends ProbeLine['probe']> = Extract<ProbeLine, { probe: P }>;

export function lineOf<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P> | undefined {
  return lines.find((line): line is Named<P> => line.probe === probe);
}

export function allOf<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P>[] {
  return lines.filter((line): line is Named<P> => line.probe === probe);
}

export const linesOf = (said: NodeReport['host']): readonly ProbeLine[] => ('because' in said ? [] : said);

export const silent = (node: string): NodeReport => {
  const nothing = { because: 'no pod reported from there' };
  return { node, host: nothing, pod: nothing };
};
