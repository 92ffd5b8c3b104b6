import type { TestOutcome } from '#lib/kube/index.ts';
import type { ProbeLine } from '../line.ts';
import type { ProbeSettings } from '../objects/settings.ts';
import type { NodeLocation, Partners } from '../partners/partners.ts';

/** The output of a node's two pods. `because`: why a pod has none, as a phrase. */
export type NodeReport = {
  readonly node: string;
  readonly host: readonly ProbeLine[] | { readonly because: string };
  readonly pod: readonly ProbeLine[] | { readonly because: string };
  /** Whether the images of the plan were pulled; left out: only the test pods' own image was needed. */
  readonly images?: TestOutcome;
};

export type ProbedNode = NodeLocation & {
  readonly name: string;
  readonly distribution: { readonly id: string; readonly version?: string | null };
  readonly architecture: string;
  /** The IPv4 address for VXLAN; null: it has none. */
  readonly address: string | null;
  /** The IPv6 address for VXLAN; null: it has none; left out: VXLAN does not use IPv6. */
  readonly addressV6?: string | null;
};

export type Question = {
  /** In the order of the script's variable ADDRESSES. */
  readonly nodes: readonly ProbedNode[];
  /** Who tests with whom, by index; left out: as `choosePartners` decides for these nodes. */
  readonly partners?: Partners;
  readonly endpoint: { readonly host: string; readonly port: string } | null;
  /** Services that every pod tests; left out: none is known. */
  readonly services?: ProbeSettings['services'];
  /** API servers behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly { readonly host: string; readonly port: string }[];
  /** From FelixConfiguration; null: Calico's default. */
  readonly interfacePattern: string | null;
  /** The Calico release after the plan; null: unknown. */
  readonly release: string | null;
  /** Whether packets with another node's address were tested. */
  readonly dsr?: boolean;
  /** Why the images of the plan could not be tested, as a phrase; left out: they were, or the plan has none. */
  readonly imagesNotTested?: string;
};

export const passed: TestOutcome = { kind: 'passed' };
/** The outcome of a test that failed. `because`: a phrase. */
export const failed = (because: string): TestOutcome => ({ kind: 'failed', because });
/** The outcome of a test that did not come to a result. `because`: a phrase. */
export const notRun = (because: string): TestOutcome => ({ kind: 'not-run', because });

export type Named<P extends ProbeLine['probe']> = Extract<ProbeLine, { probe: P }>;

/** The first line of this kind. */
export function lineOf<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P> | undefined {
  return lines.find((line): line is Named<P> => line.probe === probe);
}

/** All lines of this kind, in the order of the log. */
export function allOf<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P>[] {
  return lines.filter((line): line is Named<P> => line.probe === probe);
}

/** The lines of a pod; none for a pod without output. */
export const linesOf = (output: NodeReport['host']): readonly ProbeLine[] => ('because' in output ? [] : output);

/** The report of a node on which no pod ran. */
export const silentReport = (node: string): NodeReport => {
  const nothing = { because: 'no pod reported from there' };
  return { node, host: nothing, pod: nothing };
};
