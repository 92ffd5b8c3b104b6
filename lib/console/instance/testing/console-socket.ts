import type { Server } from 'node:net';
import type { MadeHost } from '../../host/index.ts';
import { type Answers, answerIn } from '../instance-server.ts';

/** A host that answers the command line in its state folder like a console, for plans, flows and changes of traffic only. */
export async function consoleSocket(
  {
    carryPlan,
    flowsFor,
    trafficFor,
    serveSandbox,
  }: Pick<MadeHost, 'carryPlan' | 'flowsFor' | 'trafficFor' | 'serveSandbox'>,
  folder: string,
): Promise<Server> {
  const no = async () => ({ ok: false as const, code: 'test', message: 'It is not asked here.' });
  const answers: Answers = {
    link: no,
    status: no,
    flows: ({ cluster, query, uid = null }) => flowsFor(cluster, query, uid),
    traffic: ({ cluster, run, uid }) => trafficFor(cluster, run, uid),
    apply: async ({ plan, cluster }) => {
      const answer = await carryPlan(plan, cluster);
      return answer.ok ? { ok: true, ...answer.value } : answer;
    },
  };
  return answerIn(folder, answers, serveSandbox);
}
