import type { Act } from '../act.ts';

type HelmAct = Extract<Act, { kind: 'helm' }>;

/** The words that helm is given, made from the act's fields alone: a plan file cannot slip it a flag or a program of its own. */
export function helmArguments(act: HelmAct): string[] {
  const where = ['--namespace', act.namespace, ...keepAll];
  if (act.verb === 'rollback') return ['rollback', act.release, String(act.revision), ...where];
  const set = Object.entries(act.set).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const version = act.version === null ? [] : ['--version', act.version];
  const values = act.values === 'reset-then-reuse' ? '--reset-then-reuse-values' : '--reuse-values';
  return ['upgrade', act.release, act.chart, ...where, values, ...version, ...set];
}

/** Helm would delete all but the newest ten revisions: what others kept is theirs, and the way back leads to one of them. */
const keepAll = ['--history-max', '0'];

/** What may stand behind `--set PATH=` and means nothing but itself: helm reads commas, braces and backslashes as its own. */
export function isHelmValue(value: string): boolean {
  return /^[A-Za-z0-9/][A-Za-z0-9._/:-]{0,500}$/.test(value);
}

/** Where a chart is: `repository/chart`, an address, a folder or a packed chart. It can be read as no flag, and holds no password. */
export function isChart(chart: string): boolean {
  return /^[A-Za-z0-9/.][A-Za-z0-9/._:+~-]{0,1000}$/.test(chart);
}
