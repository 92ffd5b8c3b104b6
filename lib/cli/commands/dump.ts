import { counted } from '#lib/base/words.ts';
import type { DumpRecord } from '#lib/kube/index.ts';
import { shellWord, visibleLine } from '#lib/text/index.ts';
import { dumpCluster } from '#lib/usecases/index.ts';
import { clientVersion } from '../client-version.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { liveClusterFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

const { output: _format, ...otherFlags } = outputFlags;

export const dump: Command = {
  name: 'dump',
  arguments: '',
  summary:
    'Save what is read of a cluster as files, for --from. Changes nothing; leaves out Secrets. Exit 0 even where you may not read some kinds: the dump and its summary name them.',
  flags: {
    ...liveClusterFlags({
      help: 'not possible here: dump reads a live cluster',
      refusal:
        '--from names a dump, and dump reads a cluster: what a dump of another tool leaves out would be lost in the copy. Name the cluster, or hand on the files as they are',
    }),
    output: {
      value: 'FOLDER|FILE.tgz',
      short: 'o',
      help: 'where to write (default signalbox-dump-TIME.tgz here); nothing is overwritten',
    },
    redact: { help: 'mask values that no check reads, and everything that looks like a credential' },
    // `-o` is the destination, as for all commands that write files (cli.md).
    summary: {
      value: 'FORMAT',
      help: 'format of the summary, which says what was written and what was not: table (default), json or yaml',
    },
    ...otherFlags,
  },
  async run(invocation) {
    const { args, flags, signal, terminal } = invocation;
    if (args.length > 0)
      throw usageError(`dump: ${JSON.stringify(args.join(' '))} is too much; name the place with -o`);
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const, 'summary');
    return withCluster(invocation, 'fresh', async ({ kube, clock }) => {
      const now = new Date(clock.now()).toISOString();
      const output = flags.text('output') ?? `signalbox-dump-${now.slice(0, 19).replace(/[-:]/g, '')}.tgz`;
      const write = (stop: AbortSignal) =>
        dumpCluster({
          kube,
          path: output,
          detail: flags.has('redact') ? 'redacted' : 'whole',
          signalboxVersion: clientVersion().version,
          now,
          signal: stop,
        });
      // Ends like SIGTERM does: what is half written is removed first, also when the terminal is closed.
      const record = await untilInterrupted(signal, write, ['SIGHUP']);
      if (format === 'table') terminal.out(summary(output, record, terminal));
      else writeData(terminal, format, { ...record, place: output });
      return exit.fine;
    });
  },
};

function summary(output: string, { kinds, leftOut }: DumpRecord, { columns, paint }: Terminal): string {
  const objects = kinds.reduce((sum, one) => sum + one.objects, 0);
  const lacking = kinds.filter(({ state }) => state === 'refused' || state === 'partial');
  const read = kinds.length - lacking.length;
  return [
    paint('bold', wrap(`${visibleLine(output)}: ${counted(objects, 'object')} of ${counted(read, 'kind')}.`, columns)),
    ...(lacking.length > 0 ? [paint('amber', `Partial: ${counted(lacking.length, 'kind')} could not be read.`)] : []),
    ...lacking.map(({ resource, objects: some, because = '' }) =>
      wrap(`• ${resource}${some > 0 ? ` (${some} of them were)` : ''}: ${visibleLine(because)}`, columns, '  ', '    '),
    ),
    'Left out:',
    ...leftOut.map(({ what, because }) => wrap(`• ${what}: ${because}`, columns, '  ', '    ')),
    `Read it with: signalbox check --from ${shellWord(output)}`,
  ].join('\n');
}
