import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What an emulated node returns through the API server: logs of containers, and output of commands.
 *
 *     <dir>/nodes/<node>/<container>.log              the running container's log, in CRI format
 *     <dir>/nodes/<node>/<container>/<command>        what `kubectl exec` of that command prints
 *
 * Files are keyed by node and container, not by pod: a rollout renames pods and keeps nodes (kubelet.ts maps one to the other).
 */
export const loggingContainers = ['calico-node', 'kube-proxy', 'probe', 'probe-pod', 'services'] as const;
export type LoggingContainer = (typeof loggingContainers)[number];

export function logFile(dir: string, node: string, container: LoggingContainer): string {
  return join(dir, 'nodes', node, `${container}.log`);
}

export function answerFile(dir: string, node: string, container: string, command: readonly string[]): string {
  return join(dir, 'nodes', node, container, encodeURIComponent(command.join(' ')));
}

export type ContainerLog = {
  readonly path: string;
  /** Adds one line, written by the container at `at`. */
  append(line: string, at?: Date): void;
  /** Starts the empty log of a new container. The old log is deleted, because no pod refers to it any more. */
  startAnew(): void;
};

/** The log of Calico's agent on a node. */
export function agentLog(dir: string, node: string): ContainerLog {
  return containerLog(dir, node, 'calico-node');
}

export function containerLog(dir: string, node: string, container: LoggingContainer): ContainerLog {
  const path = logFile(dir, node, container);
  return {
    path,
    append: (line, at = new Date()) => appendFileSync(path, criLine(line, at)),
    startAnew: () => writeAtomically(path, ''),
  };
}

/** A line in CRI format: time, stream, F for a full line, text. The kubelet's reader accepts only this format and Docker's JSON. */
function criLine(line: string, at: Date): string {
  return `${at.toISOString().replace('Z', '000000Z')} stdout F ${line}\n`;
}

/** The file that names the port of this machine to which port 7443 of pods is forwarded. */
export function forwardFile(dir: string): string {
  return join(dir, 'forwarded-port');
}

/** From now on port 7443 of any pod is forwarded to this port of 127.0.0.1. */
export function setForward(dir: string, port: number): void {
  writeAtomically(forwardFile(dir), String(port));
}

/** Creates the node's folder and an empty log for each container that logs: reading a missing log is an error 400. */
export function prepareNodeFiles(dir: string, node: string): void {
  for (const container of loggingContainers) {
    mkdirSync(join(dir, 'nodes', node, container), { recursive: true });
    const path = logFile(dir, node, container);
    if (!existsSync(path)) writeFileSync(path, '');
  }
}

/** Sets what `kubectl exec -c <container> <pod on node> -- <command>` prints from now on. Null: the command is not found, exit code 127. */
export function setAnswer(
  dir: string,
  node: string,
  container: string,
  command: readonly string[],
  output: string | null,
): void {
  const path = answerFile(dir, node, container, command);
  if (output === null) rmSync(path, { force: true });
  else writeAtomically(path, output);
}

/** Writes the output of a command to a file that is named by its contents, so that equal outputs share one file. Returns the path. */
export function writeAnswer(dir: string, output: string): string {
  const path = join(dir, 'nodes', '.answers', createHash('sha256').update(output).digest('hex'));
  if (!existsSync(path)) writeAtomically(path, output);
  return path;
}

function writeAtomically(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
