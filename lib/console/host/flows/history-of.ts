import type { FlowHistory } from '#lib/flows/index.ts';
import type { FlowHistories } from '../../streams/index.ts';
import { Refused } from '../refused.ts';

/** The history of a cluster's flows. Throws Refused, with why there is none. */
export async function historyOf(histories: FlowHistories, cluster: string): Promise<FlowHistory> {
  const history = await histories.of(cluster).catch((error: unknown) => {
    throw new Refused('flows.no-history', error instanceof Error ? error.message : 'The history cannot be opened.');
  });
  if (history === null)
    throw new Refused(
      'flows.no-history',
      `This console keeps no history of flows: it was started with --flow-history off.${await whatIsLeft(histories)}`,
    );
  return history;
}

async function whatIsLeft(histories: FlowHistories): Promise<string> {
  const left = await histories.leftIn().catch(() => null);
  return left === null ? '' : ` Files of earlier histories stay in ${left} until you remove them.`;
}
