import { visibleData } from '#lib/text/index.ts';
import type { Host } from '../host.ts';

/** What pages ask about clusters, drafts and runs. Sessions and the log belong to the process. */
export type AskedHost = Omit<Host, 'session' | 'sessions' | 'endSession' | 'logPath'>;
type Method = Exclude<keyof AskedHost, 'clusterEvents' | 'flowEvents' | 'runEvents' | 'preflightEvents'>;

/**
 * Which part of an answer is escaped for pages. `all`: everything, because it is text from clusters, files and programs. `failure`: only failures;
 * the rest is the reader's own answers, which forms send back, data for a plan that is made on the server (components/wizard/wizard-context.ts
 * escapes what it makes of it), or a file to download.
 */
const shownOf: Readonly<Record<Method, 'all' | 'failure'>> = {
  clusters: 'all',
  reach: 'all',
  askCluster: 'failure',
  resetSandbox: 'failure',
  view: 'all',
  flows: 'all',
  flowSeries: 'all',
  // Not escaped here: the command line writes them as data and escapes its own text output; the route `flows/kept` escapes them for pages.
  keptFlows: 'failure',
  why: 'all',
  flowHints: 'all',
  suggestPolicy: 'all',
  planSuggested: 'failure',
  flowChanges: 'all',
  findings: 'all',
  drafts: 'failure',
  createDraft: 'failure',
  draft: 'failure',
  answer: 'failure',
  renameDraft: 'failure',
  discardDraft: 'failure',
  assess: 'failure',
  preflight: 'all',
  startPreflight: 'failure',
  stopPreflight: 'failure',
  release: 'all',
  getRelease: 'all',
  stopRelease: 'failure',
  review: 'all',
  planFiles: 'failure',
  start: 'failure',
  runs: 'failure',
  run: 'all',
  report: 'all',
  reportPage: 'all',
  reportFiles: 'failure',
  trafficSince: 'all',
  workloads: 'all',
  lastChanges: 'all',
  insideStep: 'all',
  drift: 'all',
  undoSteps: 'all',
  lookThrough: 'all',
  takeUp: 'failure',
  ask: 'failure',
};

/**
 * The host as pages have it: text of strangers in its answers is escaped (lib/text) here, once, so that no component can forget it. Streams escape
 * their own.
 */
export function shownHost(host: AskedHost): AskedHost {
  const methods = Object.entries(host).map(([name, method]) => [
    name,
    isMethod(name) ? showing(method, shownOf[name]) : method,
  ]);
  return { ...host, ...Object.fromEntries(methods) };
}

type AnyMethod = (...args: never[]) => unknown;

function showing(method: AnyMethod, what: 'all' | 'failure'): AnyMethod {
  return async (...args) => {
    const answer = await method(...args);
    return what === 'all' || isFailure(answer) ? visibleData(answer) : answer;
  };
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(shownOf, name);
}

function isFailure(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false;
}
