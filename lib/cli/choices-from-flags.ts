import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exactScalar, scalar } from '#lib/base/exact-scalar.ts';
import { isRecord } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import {
  type Afterwards,
  afterwards,
  type Choices,
  choicesSchema,
  goals,
  platformKinds,
  policySchema,
} from '#lib/spec/index.ts';
import { usageError } from './exit.ts';
import type { Flags } from './flags.ts';
import { readDataFile, readTextFile } from './read-file.ts';

/** Answers before the goal is known, which may be proposed from what runs. */
export type GivenChoices = Omit<Choices, 'goal'> & { goal?: Choices['goal'] };

/** `--choices FILE`, and flags over it. Rejects with a sentence that names the flag or field. */
export async function choicesFromFlags(flags: Flags): Promise<GivenChoices> {
  const path = flags.text('choices');
  const file = path === undefined ? {} : fileChoices(path, await readDataFile('--choices', path));
  const answers = {
    ...file,
    ...oneOf('goal', flags, goals),
    ...oneOf('platform', flags, platformKinds),
    ...oneOf('method', flags, ['operator', 'helm', 'manifest'] as const),
    ...endpoint(flags),
    ...text('release', flags),
    ...chart(flags),
    ...sourceIn(text('source', flags).source ?? file.source),
    ...(await customResources(flags)),
    ...(await policyFromFlag(flags)),
    ...(flags.has('air-gapped') ? { airGapped: true } : {}),
    ...(flags.has('dsr') ? { dsr: true } : {}),
    ...(flags.has('keep-proxy') ? { keepProxy: true } : {}),
    ...watching(flags),
    ...(flags.has('pause-between') ? { pauseBetween: true } : {}),
    ...(flags.has('automatic') ? { automatic: true } : {}),
    ...(flags.has('forget-kubeadm-proxy') ? { forgetKubeadmProxy: true } : {}),
    ...changes(flags, file.changes),
    ...removed(flags, file.remove),
    ...after(flags, file.afterwards),
    acknowledge: { ...file.acknowledge, ...acknowledgements(flags) },
    fix: [...new Set([...(file.fix ?? []), ...flags.list('fix')])],
    acceptProposals: flags.has('accept-proposals') || file.acceptProposals === true,
    set: { ...file.set, ...settings(flags) },
  };
  if (answers.goal !== undefined) refuseUnused(answers, answers.goal);
  return answers;
}

function watching(flags: Flags): Pick<GivenChoices, 'watchServices'> {
  const [on, off] = [flags.has('watch-services'), flags.has('no-watch-services')];
  if (on && off) throw usageError('--watch-services and --no-watch-services contradict each other; give one of them');
  return on || off ? { watchServices: on } : {};
}

/** Refuses answers that the goal would ignore, because the user expects an effect. */
function refuseUnused(answers: GivenChoices, goal: Choices['goal']): void {
  if (goal !== 'upgrade' && (answers.changes !== undefined || answers.remove !== undefined))
    throw usageError(
      `--keep, --take, --write and --remove do not go with the goal ${goal}. They are for --goal upgrade, where Calico was installed by manifest`,
    );
  if (goal !== 'policy' && answers.policy !== undefined)
    throw usageError(`--policy does not go with the goal ${goal}. To make a policy use --goal policy`);
  if (goal !== 'upgrade' && answers.pauseBetween !== undefined)
    throw usageError(
      `--pause-between does not go with the goal ${goal}. It is for --goal upgrade, which may go by other releases`,
    );
  if (goal === 'install' || goal === 'upgrade') return;
  const reasons = {
    release: 'keeps the Calico release that runs. For another release use --goal upgrade',
    source: 'needs no files of a release',
    customResources: 'changes the Installation that is there',
    method: 'keeps the way in which Calico was installed',
    chart: 'keeps the chart that is installed',
  } as const;
  for (const [field, because] of Object.entries(reasons))
    if (Object.hasOwn(answers, field))
      throw usageError(`--${flagOf(field)} does not go with the goal ${goal}, which ${because}`);
}

const flagOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Makes the path of a local chart absolute, because helm may run in another folder later. */
function chart(flags: Flags): { chart?: string } {
  const given = flags.text('chart');
  if (given === undefined) return {};
  const isHere = existsSync(given.includes('{version}') ? dirname(given) : given);
  const value = isHere ? resolve(given) : given;
  const parsed = choicesSchema.shape.chart.safeParse(value);
  if (parsed.success) return { chart: value };
  throw usageError(`--chart: ${given} ${parsed.error.issues[0]?.message}`);
}

/** Only checks that the file is text and not too long for a plan; lib/release parses it. */
async function customResources(flags: Flags): Promise<{ customResources?: string }> {
  const path = flags.text('custom-resources');
  if (path === undefined) return {};
  const text = await readTextFile('--custom-resources', path);
  const parsed = choicesSchema.shape.customResources.safeParse(text);
  if (parsed.success) return { customResources: text };
  throw usageError(`--custom-resources: ${path} has ${text.length} characters; 131072 are possible`);
}

/** A policy in the form of `flows suggest`. Its spec is checked with the plan (refuse-policy.ts) and by Calico. */
export async function policyFromFlag(flags: Flags): Promise<Pick<GivenChoices, 'policy'>> {
  const path = flags.text('policy');
  if (path === undefined) return {};
  const parsed = policySchema.safeParse(await readDataFile('--policy', path));
  if (parsed.success) return { policy: parsed.data };
  const issue = parsed.error.issues[0];
  throw usageError(`--policy: ${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is not a policy'}`);
}

/** The given goal, or else the one that follows from what runs: `enable` if Calico runs without eBPF, `install` if it does not run. */
export function withGoal(answers: GivenChoices, facts: Facts): Choices {
  const goal = answers.goal ?? goalFor(facts);
  refuseUnused(answers, goal);
  return { ...answers, goal };
}

function goalFor(facts: Facts): Choices['goal'] {
  const { method, dataplane } = facts.installation;
  if (method === 'none') return 'install';
  if (method !== 'unknown' && dataplane.actual !== 'BPF' && dataplane.wanted !== 'BPF') return 'enable';
  throw usageError(
    method === 'unknown'
      ? '--goal is needed, because how Calico was installed is not recognised: install, enable, upgrade, undo, restore, flow-logs or policy'
      : '--goal is needed: Calico runs with eBPF already, so there is nothing to enable. `signalbox status` shows the cluster. Goals are install, enable, upgrade, undo, restore, flow-logs and policy',
  );
}

function fileChoices(path: string, data: unknown): Partial<Choices> {
  const parsed = choicesSchema.partial().safeParse(withPortAsText(data ?? {}));
  if (parsed.success) return parsed.data as Partial<Choices>;
  const issue = parsed.error.issues[0];
  throw usageError(
    `--choices: ${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is not what is needed'}`,
  );
}

/** In YAML, `port: 6443` is a number. */
function withPortAsText(data: unknown): unknown {
  if (!isRecord(data) || !isRecord(data.endpoint) || typeof data.endpoint.port !== 'number') return data;
  return { ...data, endpoint: { ...data.endpoint, port: String(data.endpoint.port) } };
}

function oneOf<K extends string, V extends string>(name: K, flags: Flags, values: readonly V[]): { [key in K]?: V } {
  const value = flags.text(name);
  if (value === undefined) return {};
  const found = values.find((one) => one === value);
  if (found === undefined) throw usageError(`--${name}: ${JSON.stringify(value)} is not one of ${values.join(', ')}`);
  return { [name]: found } as { [key in K]?: V };
}

function text<K extends string>(name: K, flags: Flags): { [key in K]?: string } {
  const value = flags.text(name);
  if (value === '') throw usageError(`--${name} is empty`);
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: string });
}

/** Makes the path of a folder or bundle absolute, because a console that continues the run has another working directory. */
function sourceIn(source: string | undefined): { source?: string } {
  if (source === undefined) return {};
  return { source: source.includes('://') ? source : resolve(source) };
}

/** Splits at the last colon outside brackets; the check `endpoint.form` decides whether the parts are valid. */
function endpoint(flags: Flags): { endpoint?: { host: string; port: string } } {
  const value = flags.text('endpoint');
  if (value === undefined) return {};
  if (value.trim() === '')
    throw usageError('--endpoint is empty; a host name or an IP address and a port are needed, e.g. 10.0.0.100:6443');
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(value);
  if (bracketed) return { endpoint: { host: bracketed[1] ?? '', port: bracketed[2] ?? '' } };
  const colon = value.includes('://') || (value.match(/:/g) ?? []).length > 1 ? -1 : value.lastIndexOf(':');
  return {
    endpoint: colon < 0 ? { host: value, port: '' } : { host: value.slice(0, colon), port: value.slice(colon + 1) },
  };
}

export function acknowledgements(flags: Flags): Record<string, string> {
  return Object.fromEntries(
    flags.list('acknowledge').map((entry) => {
      const at = entry.indexOf('=');
      const reason = at < 0 ? '' : entry.slice(at + 1).trim();
      if (at <= 0 || reason === '')
        throw usageError(
          `--acknowledge: ${JSON.stringify(entry)} needs a reason: ${at > 0 ? entry.slice(0, at) : entry || 'ID'}=REASON`,
        );
      return [entry.slice(0, at), reason];
    }),
  );
}

/** Decisions about changes by hand. The name of a change has brackets, which may contain `=`. */
function changes(flags: Flags, given: Choices['changes']): Pick<Choices, 'changes'> {
  const named = (flag: 'keep' | 'take') =>
    flags.list(flag).map((entry) => {
      if (entry === '')
        throw usageError(`--${flag} is empty; a change is needed, as \`check --goal upgrade\` names it`);
      return [entry, flag] as const;
    });
  const written = flags.list('write').map((entry) => {
    const found = /^((?:[^=[]|\[[^\]]*\])+)=([\s\S]*)$/.exec(entry);
    if (!found) throw usageError(`--write: ${JSON.stringify(entry)} is not CHANGE=VALUE`);
    return [found[1] ?? '', { write: exactScalar(found[2] ?? '') }] as const;
  });
  const all = [...named('keep'), ...named('take'), ...written];
  const twice = all.find(([name], at) => all.findIndex(([other]) => other === name) !== at);
  if (twice) throw usageError(`${JSON.stringify(twice[0])} is answered twice, by --keep, --take or --write`);
  return all.length === 0 && given === undefined ? {} : { changes: { ...given, ...Object.fromEntries(all) } };
}

function removed(flags: Flags, given: Choices['remove']): Pick<Choices, 'remove'> {
  const all = [...new Set([...(given ?? []), ...flags.list('remove')])];
  return all.length === 0 ? {} : { remove: all };
}

function after(flags: Flags, given: Choices['afterwards']): Pick<Choices, 'afterwards'> {
  const named = flags.list('afterwards').map(afterwardsNamed);
  const all = [...new Set([...(given ?? []), ...named])];
  return all.length === 0 ? {} : { afterwards: all };
}

export function afterwardsNamed(name: string): Afterwards {
  const found = afterwards.find((one) => one === name);
  if (found === undefined)
    throw usageError(`--afterwards: ${JSON.stringify(name)} is not one of ${afterwards.join(', ')}`);
  return found;
}

function settings(flags: Flags): Record<string, unknown> {
  return Object.fromEntries(
    flags.list('set').map((entry) => {
      const at = entry.indexOf('=');
      if (at <= 0)
        throw usageError(`--set: ${JSON.stringify(entry)} is not PATH=VALUE, such as calicoNetwork.mtu=1400`);
      return [entry.slice(0, at), scalar(entry.slice(at + 1))];
    }),
  );
}
