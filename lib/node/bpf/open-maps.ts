import { closeSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { BpfError } from './bpf-error.ts';
import type { MapShape } from './btf.ts';
import type { BpfMap, DataPlaneMaps } from './data-plane-maps.ts';
import type { Flow, FlowKey, Neighbours } from './data-plane-records.ts';
import { joinedMaps } from './joined-maps.ts';
import { kernelMap } from './kernel-map.ts';
import { type Libbpf, openLibbpf } from './libbpf.ts';
import { mapFields } from './map-fields.ts';
import { builtObject, readShapes } from './map-shapes.ts';
import { type OpenedMap, openPinned } from './pinned-map.ts';
import { recordCodec } from './record-codec.ts';

/** Opens every map of the data plane by `opened`. @throws BpfError `layout` if the object's maps or fields differ from those of the agent */
export function openMaps(...from: Parameters<typeof opener>): DataPlaneMaps {
  const open = opener(...from);
  const heldFlows = open<FlowKey, Flow>('heldFlows');
  return {
    services: open('services'),
    backends: open('backends'),
    sourceRanges: open('sourceRanges'),
    affinities: open('affinities'),
    routes: open('routes'),
    interfaces: open('interfaces'),
    config: open('config'),
    flows: joinedMaps(heldFlows, open('flows')),
    heldFlows,
    neighbours: open('neighbours'),
    nextHops: open('nextHops'),
    socketOrigins: open('socketOrigins'),
    streamOrigins: open('streamOrigins'),
  };
}

function opener(
  libbpf: Libbpf,
  shapes: ReadonlyMap<string, MapShape>,
  opened: (inC: string, shape: MapShape) => OpenedMap,
) {
  return <Key, Value>(name: keyof DataPlaneMaps): BpfMap<Key, Value> => {
    const { inC, key, value } = mapFields[name];
    const shape = shapes.get(inC);
    if (!shape) throw new BpfError('layout', `The object has no map ${inC}.`);
    return kernelMap(
      libbpf,
      { name: inC, ...opened(inC, shape) },
      recordCodec<Key>(`a key of ${inC}`, shape.key, key as readonly (keyof Key)[] | null),
      recordCodec<Value>(`a value of ${inC}`, shape.value, value as readonly (keyof Value)[] | null),
    );
  };
}

/** What is read and written to hand connections over. `neighbours` is read alone. */
export type HandedOverMaps = Pick<DataPlaneMaps, 'config' | 'flows'> & {
  readonly neighbours: Pick<DataPlaneMaps['neighbours'], 'entries'>;
};

type Opened<Maps> = { readonly maps: Maps; readonly close: () => void };

/**
 * Opens the maps that an agent has pinned, to hand its connections over. An agent of an earlier version may have had no table of held flows, or none of
 * connections between pods. Null if one of the others is not pinned there: nobody was served by them, or they are being removed.
 * @throws BpfError `layout` if they have other records
 */
export function openPinnedToHandOver(pins: string): Opened<HandedOverMaps> | null {
  const isPinned = (name: keyof DataPlaneMaps) => existsSync(join(pins, mapFields[name].inC));
  if (!(['config', 'flows'] as const).every(isPinned)) return null;
  return openedFrom(pins, (...from) => {
    const open = opener(...from);
    const flows = open<FlowKey, Flow>('flows');
    return {
      config: open('config'),
      flows: isPinned('heldFlows') ? joinedMaps(open<FlowKey, Flow>('heldFlows'), flows) : flows,
      neighbours: isPinned('neighbours') ? open<FlowKey, Neighbours>('neighbours') : { entries: () => [] },
    };
  });
}

/**
 * Opens the maps that an agent has pinned, to read them while it runs. Null if none are pinned there.
 * @throws BpfError `layout` if an agent of another version has pinned them
 */
export function openPinnedMaps(pins: string): Opened<DataPlaneMaps> | null {
  if (!existsSync(join(pins, mapFields.config.inC))) return null;
  return openedFrom(pins, openMaps);
}

function openedFrom<Maps>(pins: string, openAll: (...from: Parameters<typeof opener>) => Maps): Opened<Maps> {
  const libbpf = openLibbpf();
  const fds: number[] = [];
  const close = () => {
    for (const fd of fds.splice(0)) closeSync(fd);
  };
  try {
    const maps = openAll(libbpf, readShapes(builtObject), (inC, shape) => {
      const opened = openPinned(libbpf, pins, inC, shape);
      if (opened === null)
        throw new BpfError(
          'layout',
          `${join(pins, inC)} is missing: an agent of another version has pinned the others. Remove them with \`signalbox node leave\`, then start again.`,
        );
      fds.push(opened.fd);
      return opened;
    });
    return { maps, close };
  } catch (error) {
    close();
    throw error;
  }
}
