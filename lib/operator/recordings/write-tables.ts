/** Writes the tables anew after distil.ts changed: `SIGNALBOX_RECORDINGS_DIR=… node lib/operator/recordings/write-tables.ts`, then biome. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distil, recordedEvents } from './distil.ts';

const tables = [
  {
    recording: 'install-enable-rollback-3.31.4.jsonl',
    file: 'install-enable-rollback.ts',
    name: 'installEnableRollback',
  },
  {
    recording: 'automatic-and-stuck-node-3.31.4.jsonl',
    file: 'automatic-and-stuck-node.ts',
    name: 'automaticAndStuckNode',
  },
  { recording: 'endpoint-configmap-3.31.4.jsonl', file: 'endpoint-configmap.ts', name: 'endpointConfigMap' },
  { recording: 'upgrade-3.30.7-to-3.31.4.jsonl', file: 'upgrade.ts', name: 'upgrade' },
];

const folder = process.env.SIGNALBOX_RECORDINGS_DIR;
if (!folder) throw new Error('SIGNALBOX_RECORDINGS_DIR is needed: the folder of recordings (*.jsonl).');
for (const { recording, file, name } of tables) {
  const steps = distil(recordedEvents(readFileSync(join(folder, recording), 'utf8')));
  const body = JSON.stringify({ file: recording, steps }, null, 1);
  const head = `import type { Recording } from './row.ts';\n\n/** Distilled from the recording of this name. recordings.test.ts distils it again and compares. */\n`;
  writeFileSync(join(import.meta.dirname, file), `${head}export const ${name}: Recording = ${body};\n`);
}
