import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { ownIdentity } from '#lib/run/index.ts';
import { startOn, untilDetails } from './a-page.ts';
import { awayFor, type SharedCluster } from './shared-cluster.ts';

/** A run that this console carries, and a switch that makes its cluster unreachable. */
export async function runUnderWay({ slug, stage, console }: SharedCluster) {
  let away = false;
  const kube = awayFor(stage.ours, () => away);
  const { host } = await console({ identity: await ownIdentity(testFolder('run-under-way')), kube });
  const run = await startOn(host, slug);
  await untilDetails('a step is finished', host, slug, run, ({ report }) =>
    report.operations.some(({ state }) => state === 'finished'),
  );
  const setAway = (now: boolean) => {
    away = now;
  };
  return { host, slug, run, setAway };
}
