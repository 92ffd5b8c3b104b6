import type { Clock, Kube } from '#lib/kube/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { type Prepared, preparePlan } from '#lib/usecases/index.ts';

/** The plan as `signalbox plan` would make it from these answers; whatever is neither pass nor blocking is acknowledged. */
export async function planEnable(kube: Kube, clock: Clock, answers: Choices): Promise<Prepared> {
  const signal = new AbortController().signal;
  const prepare = (choices: Choices) => preparePlan({ kube, clock, answers: choices, choices: () => choices, signal });
  const first = await prepare(answers);
  const open = first.findings.findings.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity === 'warning'),
  );
  const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'known on this test cluster']));
  return open.length === 0 ? first : prepare({ ...answers, acknowledge: { ...acknowledge, ...answers.acknowledge } });
}
