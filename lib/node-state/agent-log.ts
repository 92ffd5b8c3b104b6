import { felixLines } from '#lib/spec/index.ts';

/**
 * Reads Calico's agent by its log (operations.md › Proof of a node, evidence 2). Pure.
 *
 * Lines are Felix's own: `2026-11-21 05:23:03.123 [INFO][71] felix/int_dataplane.go 642: BPF enabled, …`, with or without the
 * container runtime's RFC 3339 time before them. Times are UTC.
 */

/** Clocks of nodes and API server differ a little, and managedFields has whole seconds. */
export const slackMs = 5_000;

export type AgentLog = {
  /** By the last of the two lines since the agent's latest start. Lines from before a restart do not count. */
  decision: 'enabled' | 'refused' | 'neither';
  decidedBy: string | null;
  /** Latest time at which the agent says that it started, ms. */
  startedAt: number | null;
  /** Time of the first line, ms; null when no line has one. */
  firstAt: number | null;
  lastAt: number | null;
};

/** `sinceMs`: earlier lines do not count (a server may ignore sinceTime). */
export function readAgentLog(text: string, sinceMs: number): AgentLog {
  const log: AgentLog = { decision: 'neither', decidedBy: null, startedAt: null, firstAt: null, lastAt: null };
  let at: number | null = null;
  for (const line of text.split('\n')) {
    at = lineTime(line) ?? at;
    if (at === null || at < sinceMs) continue;
    log.firstAt ??= at;
    log.lastAt = at;
    if (line.includes(felixLines.starting)) {
      log.startedAt = at;
      log.decision = 'neither';
      log.decidedBy = null;
    }
    const decision = line.includes(felixLines.bpfEnabled)
      ? 'enabled'
      : line.includes(felixLines.bpfRefused)
        ? 'refused'
        : null;
    if (decision) {
      log.decision = decision;
      log.decidedBy = line.slice(0, 300);
    }
  }
  return log;
}

const runtimeTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))/;
const felixTime = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) \[[A-Z]+\]/;

/** When a line was written, ms; null for one without a time. */
export function lineTime(line: string): number | null {
  const runtime = runtimeTime.exec(line)?.[1];
  if (runtime) return Date.parse(runtime) || null;
  const felix = felixTime.exec(line);
  return felix ? Date.parse(`${felix[1]}T${felix[2]}Z`) || null : null;
}

/** Severities of logSeverityScreen, least severe first (felix config; case does not matter there). */
const severities = ['trace', 'debug', 'info', 'warning', 'error', 'fatal', 'panic', 'none'];

/** Whether an agent with this severity writes Info lines. Unset is Info. */
export function writesInfo(severity: string | null): boolean {
  if (severity === null || severity === '') return true;
  const rank = severities.indexOf(severity.toLowerCase());
  return rank >= 0 && rank <= severities.indexOf('info');
}
