import type { Act } from '../act.ts';

type HelmAct = Extract<Act, { kind: 'helm' }>;

/** The words that helm is given, made from the act's fields alone: a plan file cannot slip it a flag or a program of its own. */
export function helmArguments(act: HelmAct): string[] {
  const where = ['--namespace', act.namespace];
  if (act.verb === 'rollback') return ['rollback', act.release, String(act.revision), ...where];
  const set = Object.entries(act.set).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const version = act.version === null ? [] : ['--version', act.version];
  return ['upgrade', act.release, act.chart, ...where, '--reuse-values', ...version, ...set];
}
