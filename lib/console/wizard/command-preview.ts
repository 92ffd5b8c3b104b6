import { counted } from '#lib/base/words.ts';
import { blockingReasons, isPlatformRefused, refusedScript } from '#lib/plan/shell/refused-script.ts';
import type { Choices, Goal } from '#lib/spec/index.ts';
import { jsonText, shellComment, withClusterFlags } from '#lib/text/index.ts';
import type { StepId } from './answers.ts';
import { findingsInState, openCounts, undecidedWords } from './open-findings.ts';
import { isAskedBy } from './steps.ts';
import type { WizardContext } from './wizard-context.ts';

type Part = { step: StepId; title: string; lines: string[] };

/** One block of the script. `here`: it follows from this step's answer. */
type CommandPart = { text: string; here: boolean };

export type CommandPreview = {
  /** The script in blocks: first why it must not run yet, or that it stops at the first failure; then those of the steps up to this one, in their order. */
  parts: CommandPart[];
  /** The text to copy: all blocks. */
  script: string;
  /** The command of Signalbox that does the same. */
  cli: string;
};

/** The answers so far as commands to run by hand; those of this step are marked. */
export function commandPreview(context: WizardContext, step: StepId): CommandPreview {
  const all = [...readingParts(context), ...planParts(context), ...checkingParts(context)];
  const { flags } = context;
  const answered = all.filter((part) => isAskedBy(part.step, step, context.draft.answers));
  const missing = missingReasons(context, all.length - answered.length);
  const parts = [
    { text: (missing.length === 0 ? ['set -eu'] : refusedScript(incomplete, missing, 1)).join('\n'), here: false },
    ...answered.map(({ title, lines, step: of }) => ({
      text: withClusterFlags([shellComment(title), ...lines].join('\n'), flags),
      here: of === step,
    })),
  ];
  const answers = answersFile(context.draft.answers);
  const cli = `cat > answers.yaml <<'END'\n${answers}END\nsignalbox plan --choices answers.yaml\n`;
  return {
    parts,
    script: parts.map(({ text }) => `${text}\n`).join('\n'),
    cli: withClusterFlags(cli, flags),
  };
}

const incomplete = 'These commands are not the whole plan:';

/** Why the script must not run yet; empty: it is the whole plan, and allowed. */
function missingReasons({ plan, findings }: WizardContext, later: number): string[] {
  const undecided = undecidedWords(openCounts(findingsInState(findings)));
  return [
    ...(isPlatformRefused(findings) || plan.kind === 'made' ? [] : [plan.problem]),
    ...blockingReasons(findings),
    ...(undecided === null ? [] : [undecided]),
    ...(later === 0 ? [] : [`${counted(later, 'more block')} with the next answers. Review has the whole script.`]),
  ];
}

/** Commands that read the platform's evidence. */
function readingParts({ facts }: WizardContext): Part[] {
  const lines = [...new Set(facts.platform.evidence.flatMap(({ object }) => readingLine(object)))];
  return lines.length === 0 ? [] : [{ step: 'platform', title: 'What tells the platform', lines: lines.slice(0, 3) }];
}

/** Kinds of the platform's evidence that kubectl can read. API groups and versions are evidence too, but no objects. */
const readable: ReadonlySet<string> = new Set(['Node', 'ConfigMap', 'Service', 'Infrastructure']);

/** The command for `kube-system/ConfigMap/kubeadm-config` or `Node/worker-1`; empty for other evidence. */
function readingLine(object: string): string[] {
  const parts = object.split('/');
  const [kind, name] = parts.slice(-2);
  if (kind === undefined || name === undefined || !readable.has(kind) || !/^[a-z0-9.-]+$/.test(name)) return [];
  const namespace = parts.length === 3 ? ` -n ${parts[0]}` : '';
  return /^( -n [a-z0-9-]+)?$/.test(namespace) ? [`kubectl get ${kind.toLowerCase()} ${name}${namespace} -o yaml`] : [];
}

/** Commands that show what most checks read; no single command checks a cluster. */
function checkingParts({ draft }: WizardContext): Part[] {
  const columns = ['NAME:.metadata.name', 'KERNEL:.status.nodeInfo.kernelVersion', 'OS:.status.nodeInfo.osImage'];
  const lines = [`kubectl get nodes -o custom-columns=${columns.join(',')}`];
  if (draft.answers.goal !== 'install') lines.push('kubectl get tigerastatus');
  return [{ step: 'compatibility', title: 'Look at what the checks look at', lines }];
}

function planParts({ plan, draft, findings }: WizardContext): Part[] {
  if (plan.kind === 'none' || isPlatformRefused(findings)) return [];
  return plan.operations
    .filter(({ status, command }) => status === 'needed' && command !== '')
    .map(({ id, title, command }) => ({
      step: stepOfOperation(id, draft.answers.goal),
      title,
      lines: command.split('\n'),
    }));
}

const owners: readonly (readonly [prefix: string, step: StepId])[] = [
  ['endpoint.', 'endpoint'],
  ['crds', 'release'],
  ['namespace', 'release'],
  ['operator.apply', 'release'],
  ['openshift.bundle', 'release'],
  ['custom-resources', 'resources'],
  ['installation.available', 'resources'],
  ['cni.', 'resources'],
  ['operator.dns', 'endpoint'],
  ['proxy.', 'proxy'],
  ['felix.cleanup', 'proxy'],
  ['felix.options', 'options'],
  ['installation.options', 'options'],
  ['verify.', 'review'],
];

/** The step whose answer causes an operation. The switch itself and its companions belong to the goal, or to an installation's options. */
function stepOfOperation(id: string, goal: Goal): StepId {
  if (id === 'bpf.active' && goal === 'install') return 'options';
  return owners.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'goal';
}

/** The answers as a file for `--choices`. JSON values are valid YAML without line breaks. */
function answersFile(answers: Choices): string {
  const lines = Object.entries(answers).filter(([, value]) => !isDefault(value));
  return lines.map(([key, value]) => `${key}: ${yamlValue(value)}\n`).join('');
}

function isDefault(value: unknown): boolean {
  if (value === undefined || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function yamlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value) ? value : jsonText(value);
  if (Array.isArray(value)) return value.map((one) => `\n  - ${jsonText(one)}`).join('');
  return Object.entries(value)
    .map(([key, one]) => `\n  ${jsonText(key)}: ${jsonText(one)}`)
    .join('');
}
