import { afterEach, expect, test } from 'vitest';
import { type Kube, KubeError, type ServiceWatch, type WatchedServices } from '#lib/kube/index.ts';
import { continueRun, forgetRun, type Report, readRunWithProvenance, reportOf, startRun } from '#lib/run/index.ts';
import { journalNamespaces, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from '../testing/stage.ts';
import { startedRun } from '../testing/started-run.ts';

/** Runs that query Services from every node. */

let stage: Stage;
afterEach(() => stage.close());

async function opened(services: WatchedServices) {
  stage = await openStage({ nodes: 2 });
  const process = () => stage.process({ kube: { ...stage.ours, services } });
  const plan = await stage.plan({ watchServices: true });
  return { process, plan };
}

async function reported(process: ReturnType<Stage['process']>, run: string): Promise<Report> {
  const { plan, journal, provenance } = await readRunWithProvenance(stage.ours, journalNamespaces, run, process.memory);
  return reportOf(plan, journal, provenance);
}

const outcomeOf = ({ operations }: Report) => operations.find(({ id }) => id === 'verify.services')?.outcome;

/** The sandbox's watch of Services with changes, and the calls that it received. */
function followed(change: (watch: ServiceWatch) => Partial<ServiceWatch> = () => ({})) {
  const calls: string[] = [];
  const services: WatchedServices = {
    watch: async (options) => {
      const watch = await (stage.kube.services as WatchedServices).watch(options);
      calls.push('begun');
      const end = async () => {
        calls.push('gone');
        return null;
      };
      return { ...watch, end, ...change(watch) };
    },
    sweep: async () => {
      calls.push('swept');
    },
  };
  return { services, told: calls };
}

test('each node tells its gaps, the report names the longest, and what verifies services is met', async () => {
  const { services, told: calls } = followed();
  const { process, plan } = await opened(services);
  const own = process();
  const { run, outcome } = startedRun(await startRun(own, plan));
  expect(outcome).toEqual({ kind: 'done' });
  const report = await reported(own, run);
  expect(outcomeOf(report)).toBe('met');
  expect(report.services?.longest?.ms).toBeGreaterThanOrEqual(200);
  expect(report.services?.nodes.map(({ node }) => node)).toEqual(['control-1', 'worker-1']);
  expect(calls).toEqual(['begun', 'gone']);
});

test('the journal is slow to be written: what verifies services asks the nodes anew, and is met', async () => {
  const { services } = followed();
  const { plan } = await opened(services);
  const { ours, clock } = stage;
  const slowly: Kube = {
    ...ours,
    services,
    patch: async (ref, ...rest) => {
      if (ref.resource === resources.configMaps) await clock.sleep(12_000);
      return ours.patch(ref, ...rest);
    },
  };
  const own = stage.process({ kube: slowly });
  const { run, outcome } = startedRun(await startRun(own, plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(outcomeOf(await reported(own, run))).toBe('met');
});

test('where it may not be made the run goes on, and says once that nothing was measured', async () => {
  const refused = new KubeError('forbidden', 'You may not create namespaces. Nothing was made.');
  const { process, plan } = await opened({ watch: () => Promise.reject(refused), sweep: async () => {} });
  const own = process();
  const { run, outcome } = startedRun(await startRun(own, plan));
  expect(outcome).toEqual({ kind: 'done' });
  const losses = own.events.filter(
    (event) => event.event === 'log' && event.data.message.startsWith('Gaps of Services are not measured'),
  );
  expect(losses).toHaveLength(1);
  const report = await reported(own, run);
  expect([outcomeOf(report), report.services]).toEqual(['unknown', null]);
});

test('somebody takes it away meanwhile: the run goes on, and what follows is not measured', async () => {
  let reads = 0;
  const { services } = followed((watch) => ({
    read: (options) =>
      ++reads > 2
        ? Promise.reject(new KubeError('not-found', 'Namespace signalbox-services was deleted.'))
        : watch.read(options),
  }));
  const { process, plan } = await opened(services);
  const own = process();
  const { run, outcome } = startedRun(await startRun(own, plan));
  expect(outcome).toEqual({ kind: 'done' });
  const report = await reported(own, run);
  expect([outcomeOf(report), report.services?.missed]).toEqual([
    'unknown',
    ['Namespace signalbox-services was deleted.'],
  ]);
});

test('a service that stays silent pauses the run with the way back offered, and goes on once it answers', async () => {
  let [reads, isSilent] = [0, true];
  const { services, told: calls } = followed((watch) => ({
    read: async (options) => {
      const readings = await watch.read(options);
      reads++;
      return readings.map((reading) =>
        reading.node === 'worker-1' && isSilent && reads > 2
          ? { ...reading, gaps: [], kinds: { api: { tried: 9, answered: 0, late: 0, none: 9, openMs: 16_000 } } }
          : reading,
      );
    },
  }));
  const { process, plan } = await opened(services);
  const own = process();
  const { run, outcome } = startedRun(await startRun(own, plan));
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'services.gap',
    because: expect.stringContaining('on node worker-1, ClusterIP has not answered for 16 s'),
    choices: ['undo', 'keep-waiting', 'stop'],
  });
  expect(calls).toEqual(['begun', 'gone']);
  isSilent = false;
  const next = startedRun(await continueRun(own, run, { how: 'resume' }));
  expect(next.outcome).toEqual({ kind: 'done' });
  // The process that resumes a run removes what the killed one left.
  expect(calls).toEqual(['begun', 'gone', 'swept', 'begun', 'gone']);
  expect(await forgetRun(own, run)).toMatchObject({ run });
  expect(calls.at(-1)).toBe('swept');
});
