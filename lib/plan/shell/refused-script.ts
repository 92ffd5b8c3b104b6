import { isBlocking } from '#lib/checks/framework/verdict.ts';
import type { Findings } from '#lib/checks/index.ts';
import { shellComment, shellWord } from '#lib/text/index.ts';

/** The first lines of a script that must not run: a reader sees it, and `sh` stops there. Whatever follows is to read only. */
export function refusedScript(title: string, reasons: readonly string[], exitCode: number): string[] {
  const said = [title, ...reasons];
  return [
    '# INCOMPLETE: do not run',
    ...reasons.map((reason) => shellComment(reason)),
    `printf '%s\\n' ${said.map(shellWord).join(' ')} >&2`,
    `exit ${exitCode}`,
  ];
}

/** The findings that keep a plan from being carried out, each as `id: why`. */
export function blockingReasons({ findings }: Findings): string[] {
  return findings.filter(isBlocking).map(({ id, because }) => `${id}: ${because}`);
}

/** No change makes eBPF mode work here: commands of a plan would only lead somebody into it. */
export function isPlatformRefused({ findings }: Findings): boolean {
  return findings.some((finding) => platformChecks.has(finding.id) && isBlocking(finding));
}

const platformChecks: ReadonlySet<string> = new Set(['platform.supported', 'platform.eks-auto-mode']);
