import { isBlocking } from '#lib/checks/framework/verdict.ts';
import type { Findings } from '#lib/checks/index.ts';
import { shellComment, shellWord } from '#lib/text/index.ts';

/** The first lines of a script that must not run: a reader sees why, and `sh` stops there. The rest is for reading only. */
export function refusedScript(title: string, reasons: readonly string[], exitCode: number): string[] {
  const lines = [title, ...reasons];
  return [
    '# INCOMPLETE: do not run',
    ...reasons.map((reason) => shellComment(reason)),
    `printf '%s\\n' ${lines.map(shellWord).join(' ')} >&2`,
    `exit ${exitCode}`,
  ];
}

/** The findings that block the plan, each as `id: why`. */
export function blockingReasons({ findings }: Findings): string[] {
  return findings.filter(isBlocking).map(({ id, because }) => `${id}: ${because}`);
}

/** Whether this platform cannot run eBPF mode at all: a plan's commands would only mislead. */
export function isPlatformRefused({ findings }: Findings): boolean {
  return findings.some((finding) => platformChecks.has(finding.id) && isBlocking(finding));
}

const platformChecks: ReadonlySet<string> = new Set(['platform.supported', 'platform.eks-auto-mode']);
