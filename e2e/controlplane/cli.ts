/**
 * `npm run cluster -- up|down|status`: a cluster to try things on. It keeps running after the command.
 * Exit codes: 0 done; 1 failed, with the reason; 2 the command line is wrong, and nothing was changed.
 */

import { existsSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';
import { agentMark, proxyMark } from '#lib/sandbox/parts.ts';
import { shellWord } from '#lib/text/index.ts';
import { readEgressLog, unexpectedDials } from './egress.ts';
import { defaultClusterFolder } from './folders.ts';
import { holdMark, kubeletMark } from './kwok-config.ts';
import { type ClusterKind, type StandIn, standInNamed, standIns } from './objects/standard-cluster.ts';
import { clearFolder, startControlPlane } from './plane.ts';
import { egressLogFile, kubeconfigFile, type PlaneState, planFile, processLog, readState } from './plane-state.ts';
import { stopSupervisor, supervisorRuns } from './supervisor-control.ts';

const usage = `npm run cluster -- up      [--nodes 4] [--standard|--bpf|--empty] [--slow] [--like ${standIns.join('|')}] [--dir D]
npm run cluster -- status  [--dir D]
npm run cluster -- down    [--dir D]

up        starts etcd, an API server that can reach nothing foreign, controllers and pretended nodes, on 127.0.0.1
  --standard  kubeadm with Calico's standard data plane (default)
  --bpf       the same, already on eBPF, kube-proxy turned off
  --empty     kubeadm without a network; the stand-in begins when somebody installs the operator
  --slow      pods take 2.5 to 6 s to become ready, as real ones do
  --like      which operator the stand-in plays: that of a public release, its faults included (default ${standIns[0]}; signalbox, of version 0.1.0, means
              the default), or none
  --dir       where the cluster's files live (default: ${defaultClusterFolder()})

What can go wrong on a node, by kubectl annotate node NAME KEY=VALUE (KEY- ends it):
  ${holdMark}=true         its pods never become ready (works on a pod too)
  ${kubeletMark}=stopped   it becomes NotReady
  ${agentMark}=refuses     Calico's agent says at its next start that the kernel cannot run eBPF
  ${agentMark}=silent      Calico's agent writes no log and shows no maps
  ${proxyMark}=silent      kube-proxy runs and has no rules
`;

const most = 200;

class WrongUse extends Error {}

type Command =
  | {
      verb: 'up';
      dir: string;
      kind: ClusterKind;
      nodes: number;
      slow: boolean;
      like: StandIn;
    }
  | { verb: 'down' | 'status'; dir: string }
  | { verb: 'help' };

function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help || positionals[0] === 'help') return { verb: 'help' };
  const [verb, ...rest] = positionals;
  if (verb === undefined) throw new WrongUse('Say what to do: up, down or status.');
  if (verb !== 'up' && verb !== 'down' && verb !== 'status') {
    throw new WrongUse(`"${verb}" is not a command; up, down and status are.`);
  }
  if (rest.length > 0) throw new WrongUse(`${verb} takes no further words; "${rest.join(' ')}" was given.`);
  if (values.dir === '') throw new WrongUse('--dir: a folder is needed, an empty word was given.');
  const dir = resolve(values.dir ?? defaultClusterFolder());
  const upOnly = ['nodes', 'standard', 'bpf', 'empty', 'slow', 'like'] as const;
  if (verb !== 'up') {
    const stray = upOnly.find((name) => values[name] !== undefined);
    if (stray) throw new WrongUse(`--${stray} belongs to up; ${verb} takes --dir only.`);
    return { verb, dir };
  }
  const kinds = (['standard', 'bpf', 'empty'] as const).filter((name) => values[name]);
  if (kinds.length > 1) throw new WrongUse(`${kinds.map((kind) => `--${kind}`).join(' and ')}: one of them, not both.`);
  const nodes = Number(values.nodes ?? '4');
  if (!/^\d+$/.test(values.nodes ?? '4') || nodes < 1 || nodes > most) {
    throw new WrongUse(`--nodes: a number from 1 to ${most} is needed, "${values.nodes}" was given.`);
  }
  const like = standInNamed(values.like);
  if (!like) throw new WrongUse(`--like: one of ${standIns.join(', ')} is needed, "${values.like}" was given.`);
  return { verb, dir, kind: kinds[0] ?? 'standard', nodes, slow: values.slow ?? false, like };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        nodes: { type: 'string' },
        standard: { type: 'boolean' },
        bpf: { type: 'boolean' },
        empty: { type: 'boolean' },
        slow: { type: 'boolean' },
        like: { type: 'string' },
        dir: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new WrongUse(messageOf(error).replace(/ To specify .*$/s, ''));
  }
}

async function up(command: Extract<Command, { verb: 'up' }>): Promise<void> {
  const { dir, kind, nodes, slow, like } = command;
  const state = readState(dir);
  if (state && (await supervisorRuns(state))) {
    print(`A cluster runs there already: ${describe(state)}, process ${state.pid}.`);
    print(`kubeconfig: ${kubeconfigFile(dir, 'admin')}`);
    print(`To start anew: ${again('down', dir)}, then up.`);
    return;
  }
  const started = performance.now();
  const report = (line: string) => process.stderr.write(`  ${line}\n`);
  const pace = slow ? 'slow' : 'normal';
  const plane = await startControlPlane({ dir, kind, nodes, pace, like, lives: 'detached', report });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`The cluster is up after ${seconds} s: ${describe(plane.state())}, ${plane.url}`);
  print(`kubeconfig: ${plane.kubeconfig}`);
  const ended = plane.state().processes.filter(({ ended }) => ended !== null);
  for (const { name, ended: how } of ended) print(`But ${name} has ended (${how}); see ${processLog(dir, name)}`);
  const kubectl = relative(process.cwd(), plane.binaries.kubectl);
  print('\nTry:');
  print(`  export KUBECONFIG=${shellWord(plane.kubeconfig)}`);
  print('  bin/signalbox check');
  print('  bin/signalbox plan');
  print(`  ${shellWord(kubectl.startsWith('..') ? plane.binaries.kubectl : kubectl)} get nodes,pods -A`);
  print(`  ${again('down', dir)}`);
  plane.api.close();
}

async function down(dir: string): Promise<void> {
  if (!existsSync(dir) || !existsSync(planFile(dir))) {
    print(`No cluster in ${dir}.`);
    return;
  }
  const state = readState(dir);
  const ran = state !== null && (await supervisorRuns(state));
  if (ran) await stopSupervisor(state);
  await clearFolder(dir);
  rmSync(dir, { recursive: true, force: true });
  print(ran ? 'The cluster is down and its files are gone.' : 'No cluster ran; what was left of one is gone.');
}

/** Returns the exit code, for scripts: 0 if the cluster runs, 1 if not. */
async function status(dir: string): Promise<number> {
  const state = readState(dir);
  if (!state || !(await supervisorRuns(state))) {
    const killed = state?.phase === 'ready' || state?.phase === 'starting';
    const how = killed ? 'its supervisor was killed' : state?.sentence;
    print(state ? `The cluster in ${dir} does not run: ${how}.` : `No cluster in ${dir}.`);
    return 1;
  }
  print(`${describe(state)}, ${state.url}: ${state.sentence}`);
  print(`kubeconfig: ${kubeconfigFile(dir, 'admin')}`);
  for (const { name, pid, ended } of [{ name: 'supervisor', pid: state.pid, ended: null }, ...state.processes]) {
    print(`  ${name.padEnd(24)} ${String(pid).padStart(7)}  ${ended === null ? 'runs' : `ended (${ended})`}`);
  }
  const refused = unexpectedDials(readEgressLog(egressLogFile(dir)));
  print(refused.length === 0 ? 'Nothing tried to leave.' : `${refused.length} dials were refused:`);
  for (const { at, target } of refused.slice(-10)) print(`  ${at} ${target}`);
  return 0;
}

const describe = ({ kind, nodes, like }: PlaneState) =>
  `${kind}, ${nodes} node${nodes === 1 ? '' : 's'}${kind === 'bare' ? '' : `, operator like ${like}`}`;

const again = (verb: string, dir: string) =>
  `npm run cluster -- ${verb}${dir === resolve(defaultClusterFolder()) ? '' : ` --dir ${shellWord(dir)}`}`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command.verb === 'help') process.stdout.write(usage);
  else if (command.verb === 'up') await up(command);
  else if (command.verb === 'down') await down(command.dir);
  else process.exitCode = await status(command.dir);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  if (error instanceof WrongUse) process.stderr.write(`\n${usage}`);
  process.exitCode = error instanceof WrongUse ? 2 : 1;
}
