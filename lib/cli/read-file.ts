import { readFile, stat } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { usageError } from './exit.ts';

const bytesLimit = 32 * 1024 * 1024;
/** Most YAML aliases, against files that would expand without end. */
const aliasLimit = 100;

/** A file that a flag names, as JSON or YAML data. Errors name the flag, the file and the line. */
export async function readDataFile(flag: string, path: string): Promise<unknown> {
  return parseData(`${flag}: ${path}`, await readTextFile(flag, path));
}

/** Text as JSON or YAML data. `what` begins each error: the flag, and the file. */
export function parseData(what: string, text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw usageError(`${what} does not parse as JSON: ${(error as Error).message}`, error);
    }
  }
  const document = parseDocument(text, { merge: false });
  const problem = document.errors[0];
  if (problem) throw usageError(`${what} does not parse: ${problem.message.split('\n')[0]}`, problem);
  try {
    return document.toJS({ maxAliasCount: aliasLimit });
  } catch (error) {
    throw usageError(`${what}: ${(error as Error).message}`, error);
  }
}

const whyUnread: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder, and a file is needed',
};

/** The text of a file that a flag names. Errors name the flag and the file. */
export async function readTextFile(flag: string, path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > bytesLimit) throw usageError(`${flag}: ${path} is larger than 32 MiB`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && error.name === 'CliError') throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw usageError(`${flag}: ${path} cannot be read: ${whyUnread[code] ?? message}`, error);
  }
}

/** A PEM file with a certificate or a key that a flag names. */
export async function readPemFile(flag: string, path: string): Promise<string> {
  const text = await readTextFile(flag, path);
  if (!/^-----BEGIN [A-Z ]+-----$/m.test(text)) throw usageError(`${flag}: ${path} holds nothing in PEM`);
  return text;
}
