import { proxyIsOff } from '#lib/checks/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** New facts show no service proxy: the condition for proxies that only the administrator can turn off. */
export async function proxyGone(_condition: unknown, { readFacts }: ConditionContext): Promise<Progress> {
  const facts = await readFacts();
  const isOff = proxyIsOff(facts);
  if (isOff === true) return met(facts.proxy.evidence, 'no service proxy runs');
  if (isOff === null)
    return {
      kind: 'unknown',
      because: 'The removal of the service proxy is not verified: this cluster does not show it.',
      subjects: [],
    };
  return waiting('the service proxy to be turned off, as the instructions say');
}
