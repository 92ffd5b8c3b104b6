import type { FlowHistory } from '#lib/flows/index.ts';
import type { FlowHistories } from '../../streams/index.ts';
import { Refused } from '../refused.ts';

/** The history of a cluster's flows. Throws Refused with the reason if there is none. */
async function historyOf(histories: FlowHistories, cluster: string): Promise<FlowHistory> {
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

/** Asks the history. Throws Refused, also if its server fails. */
export async function askHistory<T>(
  histories: FlowHistories,
  cluster: string,
  work: (history: FlowHistory) => Promise<T>,
): Promise<T> {
  const history = await historyOf(histories, cluster);
  return work(history).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ClickHouseFault')
      throw new Refused('flows.no-history', error.message);
    throw error;
  });
}

async function whatIsLeft(histories: FlowHistories): Promise<string> {
  const left = await histories.leftIn().catch(() => null);
  return left === null ? '' : ` Files of earlier histories stay in ${left} until you remove them.`;
}
