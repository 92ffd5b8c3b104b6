import { holdAnnotation, normalTimings, type Timings } from '#lib/sandbox/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { OperatorOptions } from '../run.ts';
import {
  aStage,
  createInstallation,
  endpointConfigMap,
  endpointRef,
  patchInstallation,
  type Stage,
  type StageOptions,
} from '../testing/stage.ts';
import { distil, type RecordedEvent } from './distil.ts';
import type { Recording, Step } from './row.ts';

/** Paces pods as the recordings' KWOK stages did: about 3 s each. There agents stay ready when Felix restarts. */
const recordedPace: Timings = {
  ...normalTimings,
  syncMs: 25,
  bindMs: 20,
  startMs: [300, 400],
  readyMs: [2_200, 2_700],
  felixRestartMs: [0, 0],
  proxySyncMs: 0,
};

export type Act = (stage: Stage) => Promise<unknown>;

export type Play = StageOptions & {
  recording: Recording;
  like: OperatorOptions['like'];
  races?: NonNullable<OperatorOptions['races']>;
  /** How long the operator had run when the first mark came, in seconds. This places its ticks of 5 s. */
  runningForSeconds: number;
  /** The act for each mark, by the mark's own words. `end` needs none. */
  acts: Readonly<Record<string, Act>>;
};

/** Acts at the marks' times on a store with simulated workloads in virtual time, and distils the changes that follow. */
export async function replay(play: Play): Promise<{ steps: Step[]; log: string[] }> {
  const stage = await aStage({ timings: recordedPace, ...(play.objects ? { objects: play.objects } : {}) });
  const { kube, clock, log } = stage;
  stage.start(play.like, play.races ? { races: play.races } : {});
  await stage.pass(play.runningForSeconds);

  const { steps } = play.recording;
  const began = clock.now() - (steps[0]?.at ?? 0) * 1_000;
  const seconds = () => (clock.now() - began) / 1_000;
  const events: RecordedEvent[] = kube.snapshot().objects.map((object) => ({ t: 0, isDeleted: false, object }));
  const forget = kube.onChange((change) =>
    events.push({ t: seconds(), isDeleted: change.type === 'deleted', object: change.object }),
  );
  for (const { mark, at } of steps) {
    await stage.pass(Math.max(0, at - seconds()));
    events.push({ t: seconds(), mark });
    if (mark !== 'end') await actFor(play, mark)(stage);
  }
  forget();
  await stage.close();
  return { steps: distil(events), log };
}

function actFor(play: Play, mark: string): Act {
  const found = play.acts[mark];
  if (!found) throw new Error(`no act for the mark "${mark}"`);
  return found;
}

export const creating =
  (network: Record<string, unknown> = {}): Act =>
  ({ kube }) =>
    createInstallation(kube, network);

export const patching =
  (network: Record<string, unknown>): Act =>
  ({ kube }) =>
    patchInstallation(kube, network);

export const creatingEndpoint =
  (host: string): Act =>
  ({ kube }) =>
    kube.create(resources.configMaps, endpointConfigMap(host));

export const changingEndpoint =
  (host: string): Act =>
  ({ kube }) =>
    kube.patch(endpointRef, { type: 'merge', body: { data: { [names.endpointHostKey]: host } } });

export const deletingEndpoint: Act = ({ kube }) => kube.delete(endpointRef);

export const holdingBack =
  (node: string): Act =>
  ({ kube }) =>
    kube.patch(
      { resource: resources.nodes, name: node },
      { type: 'merge', body: { metadata: { annotations: { [holdAnnotation]: 'true' } } } },
    );

const comesUpSeconds = 6;

/** Starts another process after the time that the recordings' operator needed (endpoint-configmap-3.31.4.jsonl, t=189.43 to 195.81). */
export const restartingAs =
  (like: OperatorOptions['like']): Act =>
  async ({ pass, stop, start }) => {
    await stop();
    void pass(comesUpSeconds).then(() => start(like));
  };
