import { hostAndPort } from '#lib/base/ip.ts';
import { messageOf } from '#lib/base/message-of.ts';
import {
  Aggregator,
  feedSample,
  goldmaneQuirks,
  noQuirks,
  type QuirkId,
  quirkTable,
  serveAggregator,
  wireFormats,
} from '#lib/flows/index.ts';
import type { Command } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { withoutOutput } from '../global-flags.ts';
import { listenFlag } from '../listen-flag.ts';
import { readPemFile } from '../read-file.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

const usualListen = '127.0.0.1:7443';

export const flowAggregator: Command = {
  name: 'flow-aggregator',
  arguments: '',
  summary:
    "Collect the flows that Calico's agents report, keep the last hour in memory, and answer queries as Goldmane does: gRPC with mutual TLS. Runs until you stop it.",
  flags: {
    listen: { value: 'HOST:PORT', help: `address to listen at (default ${usualListen})` },
    cert: { value: 'FILE', help: 'its certificate, as PEM' },
    key: { value: 'FILE', help: 'key of its certificate, as PEM' },
    ca: { value: 'FILE', help: 'authority that signs the certificates of clients and agents, as PEM' },
    wire: {
      value: wireFormats.join('|'),
      help: `protocol: that of Calico from this release on (default ${wireFormats[0]})`,
    },
    like: { value: 'goldmane', help: "behave as Calico's own, with all its faults" },
    with: { value: 'FAULT,…', help: `faults of it: ${quirkTable.map(({ id }) => id).join(', ')}` },
    'sample-traffic': { help: 'fill it with the traffic of a small shop, to try it out' },
    ...withoutOutput,
  },
  async run({ flags, terminal, signal }) {
    const format = wireFormats.find((one) => one === (flags.text('wire') ?? wireFormats[0]));
    if (format === undefined)
      throw usageError(`--wire: ${JSON.stringify(flags.text('wire'))} is not one of ${wireFormats.join(', ')}`);
    const listen = hostAndPort(listenFlag(flags, usualListen));
    const [certificate, key, authority] = await Promise.all([
      pemOf('cert', flags),
      pemOf('key', flags),
      pemOf('ca', flags),
    ]);
    const now = () => Math.floor(Date.now() / 1000);
    const aggregator = new Aggregator(now, quirksOf(flags));
    return untilInterrupted(signal, async (ended) => {
      const endFeed = flags.has('sample-traffic') ? feedSample(aggregator, now) : () => undefined;
      try {
        const served = await serveAggregator(aggregator, {
          format,
          certificates: { authority, certificate, key },
          listen,
        }).catch((error: unknown) => {
          throw new CliError(exit.notAsAsked, `It cannot listen at ${listen}: ${messageOf(error)}`, error);
        });
        terminal.err(`Listening at ${served.address}, wire ${format}. Ctrl-C stops it, and forgets all flows.`);
        await new Promise<void>((resolve) => {
          if (ended.aborted) resolve();
          else ended.addEventListener('abort', () => resolve(), { once: true });
        });
        await served.close();
        return exit.fine;
      } finally {
        endFeed();
      }
    });
  },
};

function quirksOf(flags: Flags): ReadonlySet<QuirkId> {
  const like = flags.text('like');
  if (like !== undefined && like !== 'goldmane') throw usageError(`--like: ${JSON.stringify(like)} is not goldmane`);
  const named = (flags.text('with') ?? '').split(',').filter((word) => word !== '');
  const known = named.map((word) => {
    const found = quirkTable.find(({ id }) => id === word);
    if (!found)
      throw usageError(
        `--with: ${JSON.stringify(word)} is not a fault; there are ${quirkTable.map(({ id }) => id).join(', ')}`,
      );
    return found.id;
  });
  return new Set([...(like === undefined ? noQuirks : goldmaneQuirks), ...known]);
}

async function pemOf(flag: 'cert' | 'key' | 'ca', flags: Flags): Promise<string> {
  const path = flags.text(flag);
  if (path === undefined) throw usageError(`--${flag} is needed: clients and server show each other certificates`);
  return readPemFile(`--${flag}`, path);
}
