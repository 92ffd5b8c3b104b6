import { expect, test } from 'vitest';
import type { Invocation } from '../command.ts';
import { parseFlags } from '../flags.ts';
import { clusterFlags, journalFlags } from '../global-flags.ts';
import { wrappedFor } from '../terminal/terminal.ts';
import { conclude } from './carry-run.ts';

test('each choice of a paused run is a whole command on a narrow terminal, so that no part of it is carried out alone', () => {
  let output = '';
  const { flags } = parseFlags(['--context', 'prod', '--journal-namespace', 'ours'], {
    ...clusterFlags,
    ...journalFlags,
  });
  const terminal = { err: (text: string) => (output += `${text}\n`) };
  const outcome = {
    kind: 'paused' as const,
    code: 'bpf.silent',
    because: 'A node is silent. `signalbox undo x',
    choices: ['keep-waiting', 'acknowledge', 'undo', 'stop'] as const,
    operation: 'bpf.active',
  };
  conclude({ run: 'r', outcome } as never, 'done', { terminal, flags } as unknown as Invocation, false);
  const lines = wrappedFor(output, { isTTY: true, columns: 40 });
  for (const command of ['resume r', "resume r --acknowledge bpf.active='your reason'", 'undo r', 'stop r'])
    expect(lines).toContain(`\`signalbox ${command} --context prod --journal-namespace ours\``);
});
