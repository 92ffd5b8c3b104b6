import { memoryInFolder, stateFolder } from '#lib/run/index.ts';
import { listSandboxes, resetSandbox, type SandboxListing, sandboxUid } from '#lib/sandbox/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../output.ts';
import { columns } from '../terminal.ts';

export const sandbox: Command = {
  name: 'sandbox',
  arguments: 'list | reset NAME',
  summary: 'Sample clusters on this machine: what there is, or back to the beginning with one.',
  flags: outputFlags,
  async run({ args, flags, terminal, env }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const [what, name, ...more] = args;
    const state = await stateFolder(env);
    if (what === 'list' && name === undefined) {
      const list = await listSandboxes(state);
      if (format !== 'table')
        writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Sandboxes', sandboxes: list });
      else terminal.out(columns([['NAME', 'KEPT', 'SHOWS'], ...byHeading(list)], terminal.columns));
      return exit.fine;
    }
    if (what === 'reset' && name !== undefined && more.length === 0) {
      await resetSandbox(state, name);
      const memory = await memoryInFolder(state);
      for (const { journal } of await memory.ofCluster(sandboxUid(name))) await memory.forget(journal.run);
      terminal.err(`Sandbox ${name} begins anew.`);
      return exit.fine;
    }
    throw usageError('sandbox: `list`, or `reset NAME`');
  },
};

/** Rows of a table: each group's heading, and its samples below it. */
function byHeading(list: readonly SandboxListing[]): string[][] {
  return [...new Set(list.map(({ group }) => group))].flatMap((group) => [
    [''],
    [group],
    ...list
      .filter((one) => one.group === group)
      .map(({ name, kept, shows }) => [`  ${name}`, kept ? 'yes' : '', shows]),
  ]);
}
