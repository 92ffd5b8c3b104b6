import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { kubeconfigProblem } from './problem.ts';
import { fileSchema, type KubeconfigFile } from './schema.ts';

/** Larger files are refused before they are parsed. The largest known kubeconfigs have some hundred kB. */
export const kubeconfigLimitBytes = 8 * 1024 * 1024;

const aliasLimit = 100;

/**
 * The entries of one file. Throws `invalid`, naming file and field. Messages of the YAML parser are not passed on, because they quote lines of the file,
 * which hold secrets.
 */
export function parseKubeconfig(text: string, file: string): KubeconfigFile {
  const parsed = fileSchema.safeParse(readYaml(text, file) ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw kubeconfigProblem(
      `${issue ? fieldName(issue.path) : 'the file'}, in ${file}`,
      issue ? issueSentence(issue) : 'this is not a kubeconfig.',
    );
  }
  refuseDuplicates('clusters', parsed.data.clusters, file);
  refuseDuplicates('users', parsed.data.users, file);
  refuseDuplicates('contexts', parsed.data.contexts, file);
  return parsed.data;
}

function readYaml(text: string, file: string): unknown {
  try {
    // YAML 1.1 with merge keys, like kubectl's parser.
    const document = parseDocument(text, { version: '1.1', merge: true, prettyErrors: false, logLevel: 'silent' });
    const error = document.errors[0];
    if (error) throw kubeconfigProblem(file, `line ${lineOf(text, error.pos[0])} is not YAML (${error.code}).`);
    return document.toJS({ maxAliasCount: aliasLimit });
  } catch (error) {
    if (error instanceof Error && error.name === 'KubeError') throw error;
    // Too many aliases, or nested deeper than the stack allows.
    throw kubeconfigProblem(file, 'this YAML is nested too deeply or repeats itself by too many aliases.');
  }
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  );
}

function issueSentence(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type'
    ? `a value of type ${issue.expected} is needed.`
    : 'this value is not understood.';
}

function refuseDuplicates(list: string, entries: readonly { name: string }[], file: string): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (seen.has(name)) throw kubeconfigProblem(`${list}, in ${file}`, `the name "${name}" is there twice.`);
    seen.add(name);
  }
}
