import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { raceTable } from '../races.ts';
import { automaticAndStuckNode } from './automatic-and-stuck-node.ts';
import { distil, recordedEvents } from './distil.ts';
import { endpointConfigMap } from './endpoint-configmap.ts';
import { installEnableRollback } from './install-enable-rollback.ts';
import { upgrade } from './upgrade.ts';

const tables = [installEnableRollback, automaticAndStuckNode, endpointConfigMap, upgrade];
const folder = process.env.SIGNALBOX_RECORDINGS_DIR;

describe('the checked-in tables are what the recordings say', () => {
  if (!folder) {
    test.runIf(process.env.CI === 'true')('the recordings are at hand: set SIGNALBOX_RECORDINGS_DIR', () => {
      throw new Error(
        'SIGNALBOX_RECORDINGS_DIR is needed under CI=true: the folder of recordings of the public operator (*.jsonl).',
      );
    });
    return;
  }

  test.each(tables)('$file', (table) => {
    const text = readFileSync(join(folder, table.file), 'utf8');
    expect(distil(recordedEvents(text))).toEqual(table.steps);
  });

  test.each(raceTable.filter((row) => row.seen !== null))('$id can be seen where its row says', ({ seen }) => {
    const times = recordedEvents(readFileSync(join(folder, seen?.recording ?? ''), 'utf8')).map((event) => event.t);
    expect(times.some((t) => Math.abs(t - (seen?.t ?? Number.NaN)) < 0.05)).toBe(true);
  });
});
