import { delimiter, isAbsolute } from 'node:path';

/** Variables with secrets for servers that no child process talks to. */
const ownSecrets = /^(SIGNALBOX_CLICKHOUSE_PASSWORD|OTEL_EXPORTER_.*HEADERS)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a child process that is not Signalbox: without these secrets, and with a PATH of whole paths only. A relative one, or an empty one, is
 * the folder where somebody happens to be, in which others may have put a program of this name; Go's programs, as kubectl, take none from there either.
 */
export function childEnvironment(env: Environment): Record<string, string | undefined> {
  const passed = Object.fromEntries(Object.entries(env).filter(([name]) => !ownSecrets.test(name)));
  if (passed.PATH === undefined) return passed;
  const { PATH, ...others } = passed;
  const whole = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  // An empty PATH is the present folder too; without one the system takes its own.
  return whole.length === 0 ? others : { ...others, PATH: whole.join(delimiter) };
}
