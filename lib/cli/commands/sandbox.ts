import { PortRefused } from '#lib/base/loopback.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { holdSandbox } from '#lib/console/instance/hold-sandbox.ts';
import { connect, isKubeError } from '#lib/kube/index.ts';
import { forgetCluster, memoryInFolder, stateFolder } from '#lib/run/index.ts';
import {
  joinSandbox,
  listSandboxes,
  openSandbox,
  resetSandbox,
  type SandboxListing,
  sandboxUid,
} from '#lib/sandbox/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { parsePort } from '../flags.ts';
import { outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, wrap } from '../terminal/terminal.ts';

export const sandbox: Command = {
  name: 'sandbox',
  arguments: 'list | reset NAME | serve NAME',
  summary:
    'List the sample clusters on this machine, reset one, or serve one as an API server for kubectl until you stop it.',
  flags: {
    port: { value: 'N', help: 'serve: port on the loopback addresses (default any that is free)' },
    ...outputFlags,
  },
  async run(invocation) {
    const { args, flags, terminal, env } = invocation;
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
      await forgetCluster(await memoryInFolder(state), sandboxUid(name));
      terminal.err(`Sandbox ${name} is reset.`);
      return exit.fine;
    }
    if (what === 'serve' && name !== undefined && more.length === 0) return serve(name, state, invocation);
    throw usageError('sandbox: one of `list`, `reset NAME` or `serve NAME` is needed');
  },
};

/** Opens and serves a sandbox until this command ends. If another process serves it already, prints how to reach it. */
async function serve(name: string, state: string, { flags, terminal, signal }: Invocation): Promise<number> {
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const { kubeconfig, until, close } = await servedAs(
    name,
    state,
    parsePort('port', flags.text('port') ?? '0'),
    (line, cause) => terminal.err(`${line}${cause === undefined ? '' : `: ${messageOf(cause)}`}`),
  );
  try {
    const kube = await connect({ kubeconfig, env: {} });
    const server = `https://${kube.server}`;
    await kube.close();
    if (format === 'table') {
      terminal.out(`kubectl --kubeconfig ${shellWord(kubeconfig)} get nodes`);
      terminal.err(
        wrap(
          `After \`export KUBECONFIG=${shellWord(kubeconfig)}\`, kubectl commands that Signalbox shows for this sandbox work in that shell.`,
          terminal.columns,
        ),
      );
    } else
      writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'ServedSandbox', name, server, kubeconfig });
    const port = flags.text('port') ?? '0';
    if (Number(port) !== 0 && !server.endsWith(`:${port}`))
      terminal.err(
        `--port ${port} has no effect: the sandbox is served already. To change the port, stop that command and start again.`,
      );
    if (until === null) {
      terminal.err(`Sandbox ${name} is served at ${server} by another command.`);
      return exit.fine;
    }
    terminal.err(`Sandbox ${name} is served at ${server}. Its nodes move while this command runs; Ctrl-C ends it.`);
    await stopped(AbortSignal.any([signal, until]));
    if (!until.aborted) return exit.fine;
    terminal.err(`The console has closed sandbox ${name}.`);
    return exit.notAsAsked;
  } finally {
    await close();
  }
}

/** `until`: aborts when the console stops serving it; null: another command serves it. */
async function servedAs(
  name: string,
  state: string,
  port: number,
  log: (line: string, cause?: unknown) => void,
): Promise<{ kubeconfig: string; until: AbortSignal | null; close(): Promise<void> }> {
  const held = await holdSandbox(state, name);
  if (held) return { kubeconfig: held.kubeconfig, until: held.disconnected, close: async () => held.release() };
  try {
    const opened = await openSandbox(name, { speed: 'normal', state });
    try {
      const { kubeconfig } = await opened.serve(port, log);
      return { kubeconfig, until: new AbortController().signal, close: () => opened.close() };
    } catch (error) {
      await opened.close();
      throw error instanceof PortRefused ? usageError(`--port: ${error.message}`, error) : error;
    }
  } catch (error) {
    const joined = isKubeError(error, 'conflict') ? await joinSandbox(state, name) : null;
    if (joined === null) throw error;
    return { kubeconfig: joined.kubeconfig, until: null, close: joined.close };
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => done());
  });
}

/** Rows of a table: each group's heading, then its sandboxes. */
function byHeading(list: readonly SandboxListing[]): string[][] {
  return [...new Set(list.map(({ group }) => group))].flatMap((group) => [
    [''],
    [group],
    ...list
      .filter((one) => one.group === group)
      .map(({ name, kept, shows }) => [`  ${name}`, kept ? 'yes' : '', shows]),
  ]);
}
