import type { Choices, Goal } from '#lib/spec/index.ts';
import { jsonText, shellComment, shellWord } from '#lib/text/index.ts';
import type { ClusterEntry } from '../host.ts';
import { type StepId, stepIds } from './answers.ts';
import type { WizardContext } from './wizard-context.ts';

/** One block of the script: what it does, the lines, and which step's answer it follows from. */
export type CommandPart = { step: StepId; title: string; lines: string[]; here: boolean };

export type CommandPreview = {
  /** Of the steps up to this one, in the order in which they would be run. */
  parts: CommandPart[];
  /** Parts of later steps. */
  toCome: number;
  /** The parts as one script. */
  script: string;
  cli: { command: string; answers: string };
};

/** The same by hand: what the answers so far come to as commands, the ones of this step marked. */
export function commandPreview(
  context: WizardContext,
  cluster: Pick<ClusterEntry, 'name' | 'kind'>,
  step: StepId,
): CommandPreview {
  const command = cliCommand(cluster, 'plan');
  const all = [...readingParts(context), ...planParts(context), ...checkingParts(cliCommand(cluster, 'check'))];
  const isTold = (part: Omit<CommandPart, 'here'>) => stepIds.indexOf(part.step) <= stepIds.indexOf(step);
  const parts = all.filter(isTold).map((part) => ({ ...part, here: part.step === step }));
  return {
    parts,
    toCome: all.length - parts.length,
    script: parts.flatMap(({ title, lines }) => [shellComment(title), ...lines, '']).join('\n'),
    cli: { command, answers: answersFile(context.draft.answers) },
  };
}

/** What showed the platform, as one would look oneself. */
function readingParts({ facts }: WizardContext): Omit<CommandPart, 'here'>[] {
  const lines = [...new Set(facts.platform.evidence.flatMap(({ object }) => readingLine(object)))];
  return lines.length === 0 ? [] : [{ step: 'platform', title: 'What tells the platform', lines: lines.slice(0, 3) }];
}

/** Kinds that platforms are recognised by. API groups and versions are evidence too, and are no objects. */
const readable: ReadonlySet<string> = new Set(['Node', 'ConfigMap', 'Service', 'Infrastructure']);

/** `kube-system/ConfigMap/kubeadm-config`, `Node/worker-1`; other evidence is no object that kubectl reads. */
function readingLine(object: string): string[] {
  const parts = object.split('/');
  const [kind, name] = parts.slice(-2);
  if (kind === undefined || name === undefined || !readable.has(kind) || !/^[a-z0-9.-]+$/.test(name)) return [];
  const namespace = parts.length === 3 ? ` -n ${parts[0]}` : '';
  return /^( -n [a-z0-9-]+)?$/.test(namespace) ? [`kubectl get ${kind.toLowerCase()} ${name}${namespace} -o yaml`] : [];
}

/** No single command checks a cluster; these show what most checks look at. */
function checkingParts(command: string): Omit<CommandPart, 'here'>[] {
  const columns = ['NAME:.metadata.name', 'KERNEL:.status.nodeInfo.kernelVersion', 'OS:.status.nodeInfo.osImage'];
  const lines = [command, `kubectl get nodes -o custom-columns=${columns.join(',')}`, 'kubectl get tigerastatus'];
  return [{ step: 'compatibility', title: 'Look at what the checks look at', lines }];
}

function planParts({ plan, draft }: WizardContext): Omit<CommandPart, 'here'>[] {
  if (plan.kind === 'none') return [];
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

/** The step whose answer an operation follows from; the switch itself, and what goes with it, is the goal, or what an installation was asked for. */
function stepOfOperation(id: string, goal: Goal): StepId {
  if (id === 'bpf.active' && goal === 'install') return 'options';
  return owners.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'goal';
}

const flags: Record<ClusterEntry['kind'], string> = { kubeconfig: '--context', sandbox: '--sandbox', 'in-cluster': '' };

function cliCommand({ name, kind }: Pick<ClusterEntry, 'name' | 'kind'>, what: 'plan' | 'check'): string {
  const which = flags[kind] === '' ? '' : ` ${flags[kind]} ${shellWord(name)}`;
  return `signalbox ${what}${which} --choices answers.yaml`;
}

/** The answers as `--choices` reads them. JSON values are YAML, and hold no line break of their own. */
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
